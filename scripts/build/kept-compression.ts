import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

/** Compressed files of earlier builds; each is named for what it was made from. */
const keptFolder = join(import.meta.dirname, "../../.cache/compressed");
const keptDays = 30;
const dayMs = 86_400_000;

interface Method {
  readonly ending: string;
  compress(bytes: Uint8Array): Uint8Array;
  decompress(bytes: Uint8Array<ArrayBuffer>): Uint8Array;
}

const level = 19;
const zstandardMethod: Method = {
  ending: "zst",
  compress: (bytes) => Bun.zstdCompressSync(bytes, { level }),
  decompress: (bytes) => Bun.zstdDecompressSync(bytes),
};

const brotliMethod: Method = {
  ending: "br",
  compress: (bytes) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      },
    }),
  decompress: (bytes) => brotliDecompressSync(bytes),
};

export async function zstandard(
  content: string | Uint8Array,
  folder: string = keptFolder,
): Promise<Uint8Array> {
  return await compressed(content, zstandardMethod, folder);
}

/** Compresses for the smallest size, which takes about ten seconds for ten megabytes. */
export async function brotli(
  content: string | Uint8Array,
  folder: string = keptFolder,
): Promise<Uint8Array> {
  return await compressed(content, brotliMethod, folder);
}

/**
 * The compressed content, from an earlier build if that had the same content and the same
 * compressor. A damaged file is replaced: what is kept is compared with the content.
 */
async function compressed(
  content: string | Uint8Array,
  method: Method,
  folder: string,
): Promise<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const name = new Bun.CryptoHasher("sha256").update(`${Bun.version}\0`).update(bytes);
  const file = join(folder, `${name.digest("hex")}.${method.ending}`);
  const kept = await keptBytes(file);
  if (kept !== undefined && isOf(kept, bytes, method)) {
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return kept;
  }
  const result = method.compress(bytes);
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${crypto.randomUUID()}`;
  await Bun.write(unfinished, result);
  // The rename is one step, because builds of other processes read the file.
  await rename(unfinished, file);
  return result;
}

async function keptBytes(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return await Bun.file(file)
    .bytes()
    .catch(() => undefined);
}

function isOf(kept: Uint8Array<ArrayBuffer>, bytes: Uint8Array, method: Method): boolean {
  try {
    return Buffer.compare(method.decompress(kept), bytes) === 0;
  } catch {
    return false;
  }
}

/** Removes what no build of the last days has used. */
export async function removeUnusedCompression(folder: string = keptFolder): Promise<void> {
  const oldest = Date.now() - keptDays * dayMs;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const written = await stat(file).catch(() => undefined);
    if (written !== undefined && written.mtimeMs < oldest) await rm(file, { force: true });
  }
}
