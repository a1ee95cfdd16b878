import { pipeline } from "node:stream";
import { constants, createZstdCompress } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import { trailerOf } from "./trailer.ts";

/** The name of the first entry, which identifies the format. */
export const markName = "svc-archive.json";
/** The name of the last entry, which lists all parts with their digests. */
export const manifestName = "manifest.json";
export const archiveMark = { format: "svc-archive", formatVersion: 1 } as const;

/** Lines of a part: each is one JSON value without line breaks. A part may have none. */
export interface ArchivedRows {
  readonly kind: "rows";
  readonly part: string;
  readonly lines: readonly string[];
}

/** A file, named by the SHA-256 digest of its bytes. */
export interface ArchivedFile {
  readonly kind: "file";
  readonly sha256: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

export type ArchivedItem = ArchivedRows | ArchivedFile;

/** The digest of a part covers its lines in their order, each with its line break. */
export interface WrittenPart {
  readonly name: string;
  readonly count: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WrittenParts {
  readonly parts: readonly WrittenPart[];
  readonly files: { readonly count: number; readonly bytes: number };
}

/** Compression of Zstandard: more is slower and gains a few percent. */
const compressionLevel = 3;

/**
 * The bytes of an archive: a tar file in one Zstandard frame, then the digest of all of it. Memory
 * is flat: the next item is asked for when the one before is compressed. `manifestOf` gets what was
 * written, and returns the manifest. Rejects with the error of an item.
 */
export async function* archiveBytes(
  items: AsyncIterable<ArchivedItem>,
  manifestOf: (written: WrittenParts) => object,
): AsyncGenerator<Uint8Array, void, undefined> {
  const tar = pack();
  const compressed = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: compressionLevel,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  pipeline(tar, compressed, () => {});
  const filling = fill(tar, items, manifestOf).catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  const hasher = new Bun.CryptoHasher("sha256");
  try {
    for await (const chunk of compressed) {
      const bytes: Uint8Array = chunk;
      hasher.update(bytes);
      yield bytes;
    }
  } finally {
    tar.destroy();
    await filling;
  }
  yield trailerOf(hasher.digest());
}

async function fill(
  tar: Pack,
  items: AsyncIterable<ArchivedItem>,
  manifestOf: (written: WrittenParts) => object,
): Promise<void> {
  const parts = new Map<string, PartDigest>();
  const files = { count: 0, bytes: 0 };
  await writeEntry(tar, markName, `${JSON.stringify(archiveMark)}\n`);
  for await (const item of items) {
    if (item.kind === "file") {
      await writeFile(tar, item);
      files.count += 1;
      files.bytes += item.size;
      continue;
    }
    const part = parts.get(item.part) ?? new PartDigest(item.part);
    parts.set(item.part, part);
    if (item.lines.length === 0) continue;
    const text = `${item.lines.join("\n")}\n`;
    await writeEntry(tar, part.next(text, item.lines.length), text);
  }
  const written = [...parts.values()].map((part) => part.written());
  const manifest = manifestOf({ parts: written, files });
  await writeEntry(tar, manifestName, `${JSON.stringify(manifest, null, 2)}\n`);
  tar.finalize();
}

/** The digest of a part's lines, over all of its entries. */
export class PartDigest {
  readonly #hasher = new Bun.CryptoHasher("sha256");
  #count = 0;
  #bytes = 0;
  #entries = 0;

  constructor(readonly name: string) {}

  /** Adds lines; returns the name of their entry. */
  next(text: string | Uint8Array, lines: number): string {
    this.#hasher.update(text);
    this.#count += lines;
    this.#bytes += typeof text === "string" ? Buffer.byteLength(text) : text.byteLength;
    this.#entries += 1;
    return `${this.name}/${String(this.#entries).padStart(6, "0")}.ndjson`;
  }

  written(): WrittenPart {
    const sha256 = this.#hasher.copy().digest("hex");
    return { name: this.name, count: this.#count, bytes: this.#bytes, sha256 };
  }
}

/** All entries have one time, so that equal content gives equal bytes. */
const entryTime = new Date(0);

function writeEntry(tar: Pack, name: string, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: 0o600, mtime: entryTime }, text, (error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

async function writeFile(tar: Pack, { sha256, size, content }: ArchivedFile): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const header = { name: `files/${sha256}`, size, mode: 0o600, mtime: entryTime };
  const entry = tar.entry(header, (error) => {
    if (error === null || error === undefined) resolve();
    else reject(error);
  });
  promise.catch(() => {});
  try {
    for await (const chunk of content) {
      if (entry.write(chunk)) continue;
      const drained = Promise.withResolvers<void>();
      entry.once("drain", () => drained.resolve());
      // An entry that ends early has its reason in its callback.
      await Promise.race([drained.promise, promise]);
    }
    entry.end(undefined);
  } catch (error) {
    entry.destroy();
    throw error;
  }
  await promise;
}
