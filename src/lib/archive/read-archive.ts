import { pipeline, Readable } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar-stream";
import { Interruption } from "../time/deferred.ts";
import { trailerBytes, trailerOf } from "./trailer.ts";
import { archiveMark, manifestName, markName, PartDigest } from "./write-archive.ts";

/** The bytes are not an archive, or not those that were written. */
export class ArchiveDamagedError extends Error {
  override readonly name = "ArchiveDamagedError";
}

/** One entry of the tar file; its content is read before the next entry. */
export interface ArchiveEntry {
  /** `records/licence/000001.ndjson`, `files/<digest>` or the name of a description. */
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The members of a manifest that prove the parts of an archive. */
export interface ProvenParts {
  readonly parts: readonly {
    readonly name: string;
    readonly count: number;
    readonly sha256: string;
  }[];
  readonly files: { readonly count: number; readonly bytes: number };
}

/** Parts of an archive: a workspace has fewer types and datasets together. */
const partsAtMost = 10_000;
const longestDescription = 64 * 1024 * 1024;

/**
 * The entries of an archive, in order, in flat memory. It throws {@link ArchiveDamagedError} at
 * the latest after the last entry, where the digest of all bytes is compared.
 */
export async function* archiveEntries(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const entries = extract();
  const source = new Source(bytes);
  const interruption = new Interruption();
  pipeline(
    Readable.from(withoutTrailer(source.chunks())),
    createZstdDecompress(),
    entries,
    (error) => {
      if (error !== null && error !== undefined) interruption.fail(error);
    },
  );
  try {
    const walk = entries[Symbol.asyncIterator]();
    for (;;) {
      const next = await interruption.orFail(walk.next());
      if (next.done === true) break;
      const entry = next.value;
      const { name, size } = entry.header;
      yield { name, size, content: chunksOf(entry, source) };
      entry.resume();
    }
  } catch (error) {
    throw source.explained(error);
  } finally {
    entries.destroy();
  }
}

/** The content of an entry, in which the damage may be found before its end. */
async function* chunksOf(
  entry: AsyncIterable<unknown>,
  source: Source,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw source.explained(error);
  }
}

/** Keeps the error of a source of bytes, which says nothing about the archive. */
class Source {
  failure: { readonly error: unknown } | undefined;

  constructor(private readonly bytes: AsyncIterable<Uint8Array>) {}

  /** The error for a reader: that of the source, or the damage of the archive. */
  explained(error: unknown): unknown {
    if (this.failure !== undefined) return this.failure.error;
    if (error instanceof ArchiveDamagedError) return error;
    return new ArchiveDamagedError("it is damaged, or not an archive", { cause: error });
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* this.bytes;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/** Passes the compressed bytes on, and compares their digest with the one at the end. */
async function* withoutTrailer(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hasher = new Bun.CryptoHasher("sha256");
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    const all = held.byteLength === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = Math.max(0, all.byteLength - trailerBytes);
    held = all.slice(end);
    if (end === 0) continue;
    const passed = all.subarray(0, end);
    hasher.update(passed);
    yield passed;
  }
  if (Buffer.compare(held, trailerOf(hasher.digest())) !== 0) {
    throw new ArchiveDamagedError("its digest does not match: it is damaged or incomplete");
  }
}

/**
 * Reads all of an archive and compares the digests of its parts and files with its manifest.
 * `manifestOf` checks the form of the manifest and throws for another one.
 */
export async function verifiedManifest<Manifest extends ProvenParts>(
  bytes: AsyncIterable<Uint8Array>,
  manifestOf: (value: unknown) => Manifest,
): Promise<Manifest> {
  const parts = new Map<string, PartDigest>();
  const files = { count: 0, bytes: 0 };
  let isMarked = false;
  let manifest: Manifest | undefined;
  for await (const { name, size, content } of archiveEntries(bytes)) {
    if (!isMarked) requireMark(name, await textOf(content));
    else if (name === manifestName) manifest = parsed(await textOf(content), manifestOf);
    else if (name.startsWith("files/")) {
      files.count += 1;
      files.bytes += size;
      await requireDigest(name.slice("files/".length), content);
    } else await digestRows(parts, name, content);
    isMarked = true;
  }
  if (manifest === undefined) throw new ArchiveDamagedError("it has no manifest");
  const listed = new Map(manifest.parts.map((part) => [part.name, part]));
  for (const [name, part] of parts) {
    const { count, sha256 } = part.written();
    const expected = listed.get(name);
    if (expected?.sha256 !== sha256 || expected.count !== count) {
      throw new ArchiveDamagedError(`its part ${name} does not match the manifest`);
    }
  }
  const isComplete = manifest.parts.every(({ name, count }) => count === 0 || parts.has(name));
  const isWhole = manifest.files.count === files.count && manifest.files.bytes === files.bytes;
  if (!isComplete || !isWhole) {
    throw new ArchiveDamagedError("it lacks parts or files that its manifest lists");
  }
  return manifest;
}

function requireMark(name: string, text: string): void {
  const mark = name === markName ? parsed(text, (value) => value) : undefined;
  if (JSON.stringify(mark) === JSON.stringify(archiveMark)) return;
  throw new ArchiveDamagedError("it is not an archive of format version 1");
}

async function digestRows(
  parts: Map<string, PartDigest>,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const part = partOf(name);
  const digest = parts.get(part) ?? new PartDigest(part);
  if (parts.size === partsAtMost) throw new ArchiveDamagedError("it has too many parts");
  parts.set(part, digest);
  for await (const chunk of content) {
    let lines = 0;
    for (const byte of chunk) if (byte === 10) lines += 1;
    digest.next(chunk, lines);
  }
}

/** The part of an entry `records/licence/000001.ndjson`. */
export function partOf(entry: string): string {
  return entry.slice(0, Math.max(0, entry.lastIndexOf("/")));
}

async function requireDigest(sha256: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of content) hasher.update(chunk);
  if (hasher.digest("hex") === sha256) return;
  throw new ArchiveDamagedError(`its file ${sha256} does not match its digest`);
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > longestDescription) throw new ArchiveDamagedError("its manifest is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed<Value>(text: string, read: (value: unknown) => Value): Value {
  try {
    return read(JSON.parse(text));
  } catch (error) {
    throw new ArchiveDamagedError("its manifest cannot be read", { cause: error });
  }
}
