import { crc32 } from "node:zlib";

/** The file is no zip, or damaged; the message says how. */
export class ZipError extends Error {
  override readonly name = "ZipError";
}

interface Entry {
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly offset: number;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const commentBytesAtMost = 0xffff;
const directoryBytesAtMost = 16 * 1024 * 1024;

/** The parts of a zip file, each unpacked as a stream (APPNOTE 6.3.10, without zip64). */
export class ZipFile {
  private constructor(
    private readonly file: Blob,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** Reads the directory, which is at the end. Throws {@link ZipError}. */
  static async open(file: Blob): Promise<ZipFile> {
    const from = Math.max(0, file.size - endBytes - commentBytesAtMost);
    const tail = await bytesOf(file, from, file.size);
    let at = tail.byteLength - endBytes;
    while (at >= 0 && tail.getUint32(at, true) !== endSignature) at -= 1;
    if (at < 0) throw new ZipError("its end is missing");
    const [size, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    if (size > directoryBytesAtMost || start + size > file.size) {
      throw new ZipError("its directory is damaged");
    }
    return new ZipFile(file, directoryIn(await bytesOf(file, start, start + size)));
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  /** The unpacked bytes of a part; nothing without it. Throws {@link ZipError} when damaged. */
  async *stream(name: string): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.entries.get(name);
    if (entry === undefined) return;
    const { method, offset, packedBytes, crc } = entry;
    const local = await bytesOf(this.file, offset, offset + 30);
    if (local.byteLength < 30 || local.getUint32(0, true) !== localSignature) {
      throw new ZipError(`its part ${name} is damaged`);
    }
    const start = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    const packed = this.file.slice(start, start + packedBytes).stream();
    if (method !== 0 && method !== 8) throw new ZipError(`its part ${name} is packed unusually`);
    const unpacked =
      method === 0 ? packed : packed.pipeThrough(new DecompressionStream("deflate-raw"));
    let sum = 0;
    try {
      for await (const chunk of unpacked) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof TypeError) throw new ZipError(`its part ${name} is damaged`);
      throw error;
    }
    if (sum !== crc) throw new ZipError(`its part ${name} is damaged`);
  }
}

async function bytesOf(file: Blob, from: number, to: number): Promise<DataView> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}

function directoryIn(view: DataView): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  for (let at = 0; at + 46 <= view.byteLength;) {
    if (view.getUint32(at, true) !== entrySignature) throw new ZipError("its directory is damaged");
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const bytes = new Uint8Array(view.buffer, view.byteOffset + at + 46, name);
    if ((view.getUint16(at + 8, true) & 1) !== 0) throw new ZipError("it is encrypted");
    entries.set(decoder.decode(bytes), {
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}
