import { pipeline, Readable } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import * as z from "zod";
import { streamOf } from "#lib/network/stream.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { pieceBytes, type BackupPlace } from "./placed-objects.ts";
import type { BackupKeys } from "./backup-keys.ts";

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** A content in pieces `<name>.1`, `<name>.2` and so on, each with the digest of its bytes. */
export const storedContent = z.object({
  pieces: z.array(z.object({ size: z.int().min(0), sha256: digest })).min(1),
  /** The size and the digest of the content before compression and encryption. */
  size: z.int().min(0),
  sha256: digest,
});
export type StoredContent = z.output<typeof storedContent>;

export interface ContentForm {
  readonly isSealed: boolean;
  readonly isCompressed?: boolean;
}

export function pieceName(name: string, at: number): string {
  return `${name}.${at + 1}`;
}

/** Stores and reads contents of any size in flat memory, encrypted in the format of age. */
export class SealedObjects {
  constructor(
    readonly place: BackupPlace,
    private readonly keys: BackupKeys,
    private readonly signal?: AbortSignal,
  ) {}

  /** True if it has the private key. */
  get mayRead(): boolean {
    return this.keys.identity !== undefined;
  }

  /** Reads and writes another view of the place with the same keys. */
  over(place: BackupPlace): SealedObjects {
    return new SealedObjects(place, this.keys, this.signal);
  }

  async put(
    name: string,
    content: AsyncIterable<Uint8Array>,
    { isSealed, isCompressed = false }: ContentForm,
  ): Promise<StoredContent> {
    const { place, signal } = this;
    const plain = new Digest();
    let bytes: AsyncIterable<Uint8Array> = plain.watch(content);
    if (isCompressed) bytes = compressed(bytes);
    if (isSealed) bytes = await this.#sealed(bytes);
    const pieces: StoredContent["pieces"] = [];
    for await (const piece of piecesOf(bytes)) {
      signal?.throwIfAborted();
      await place.put(pieceName(name, pieces.length), piece, signal);
      const sha256 = Bun.CryptoHasher.hash("sha256", piece, "hex");
      pieces.push({ size: piece.byteLength, sha256 });
    }
    return { pieces, size: plain.size, sha256: plain.text() };
  }

  /** The content; throws `DamagedFileError` at the first piece, or at the end, that differs. */
  async *read(
    name: string,
    { pieces, size, sha256 }: StoredContent,
    { isSealed, isCompressed = false }: ContentForm,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const plain = new Digest();
    try {
      let bytes: AsyncIterable<Uint8Array> = this.#pieces(name, pieces);
      if (isSealed) bytes = await this.#opened(bytes);
      if (isCompressed) bytes = decompressed(bytes);
      yield* plain.watch(bytes);
    } catch (error) {
      if (this.signal?.aborted === true || error instanceof DamagedFileError) throw error;
      throw new DamagedFileError(`The backup's ${name} can't be read: ${String(error)}`);
    }
    if (plain.size !== size || plain.text() !== sha256) throw damaged(name);
  }

  async #sealed(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
    const { Encrypter } = await import("age-encryption");
    const encrypter = new Encrypter();
    for (const recipient of this.keys.recipients) encrypter.addRecipient(recipient);
    return encrypter.encrypt(streamOf(bytes));
  }

  async #opened(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
    const { Decrypter } = await import("age-encryption");
    const decrypter = new Decrypter();
    if (this.keys.identity === undefined) throw new DamagedFileError("The backup's key is missing");
    decrypter.addIdentity(this.keys.identity);
    return decrypter.decrypt(streamOf(bytes));
  }

  async *#pieces(name: string, pieces: StoredContent["pieces"]): AsyncGenerator<Uint8Array> {
    for (const [at, { size, sha256 }] of pieces.entries()) {
      this.signal?.throwIfAborted();
      const piece = pieceName(name, at);
      const bytes = await this.place.read(piece);
      if (bytes === undefined) throw new DamagedFileError(`The backup's ${piece} is missing`);
      const found = Bun.CryptoHasher.hash("sha256", bytes, "hex");
      if (bytes.byteLength !== size || found !== sha256) throw damaged(piece);
      yield bytes;
    }
  }
}

function damaged(name: string): DamagedFileError {
  return new DamagedFileError(`The backup's ${name} is damaged: its digest differs`);
}

class Digest {
  size = 0;
  readonly #hasher = new Bun.CryptoHasher("sha256");

  async *watch(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of content) {
      this.size += chunk.byteLength;
      this.#hasher.update(chunk);
      yield chunk;
    }
  }

  text(): string {
    return this.#hasher.digest("hex");
  }
}

/** Full pieces and the rest; one empty piece for no content. */
async function* piecesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let filled = 0;
  let isFirst = true;
  for await (const chunk of content) {
    for (let offset = 0; offset < chunk.byteLength;) {
      const count = Math.min(pieceBytes - filled, chunk.byteLength - offset);
      parts.push(chunk.slice(offset, offset + count));
      filled += count;
      offset += count;
      if (filled < pieceBytes) continue;
      yield Buffer.concat(parts);
      [parts, filled, isFirst] = [[], 0, false];
    }
  }
  if (filled > 0 || isFirst) yield Buffer.concat(parts);
}

const compressionLevel = 3;

function compressed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const params = { [constants.ZSTD_c_compressionLevel]: compressionLevel };
  return pipeline(Readable.from(bytes), createZstdCompress({ params }), () => {});
}

function decompressed(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(Readable.from(bytes), createZstdDecompress(), () => {});
}

/** The lines of a content, without their ends. */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
}
