/**
 * Archives whose bytes follow from their files alone: no times, no owners, a fixed order.
 */
import { promisify } from "node:util";
import { constants, gzip, zstdCompress } from "node:zlib";
import { zipSync, type Zippable } from "fflate";

/** A file of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: 0o644 | 0o755;
}

const compress = promisify(zstdCompress);
const compressOld = promisify(gzip);
const blockBytes = 512;
const epoch = 0;
/** The largest window that `zstd` and `dpkg` take without being asked to. */
const windowLog = 27;

export function textFile(path: string, text: string): ArchiveFile {
  return { path, content: new TextEncoder().encode(text), mode: 0o644 };
}

/** A tar archive in POSIX ustar format, with its folders. */
export function tar(files: readonly ArchiveFile[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const folders = new Set<string>();
  for (const { path, content, mode } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    for (let end = path.indexOf("/"); end > 0; end = path.indexOf("/", end + 1)) {
      const folder = path.slice(0, end + 1);
      if (folder === "./" || folders.has(folder)) continue;
      folders.add(folder);
      parts.push(tarHeader(folder, 0, 0o755, "5"));
    }
    parts.push(tarHeader(path, content.byteLength, mode, "0"), content);
    parts.push(new Uint8Array((blockBytes - (content.byteLength % blockBytes)) % blockBytes));
  }
  parts.push(new Uint8Array(2 * blockBytes));
  return Buffer.concat(parts);
}

/** A tar file as gzip compresses it; the runtime's gzip writes no time and no name. */
export async function tarGzip(files: readonly ArchiveFile[], level: number): Promise<Uint8Array> {
  return await compressOld(tar(files), { level: Math.min(level, 9) });
}

/** A tar archive in one frame of Zstandard, since dpkg reads no second one. */
export async function tarZstd(files: readonly ArchiveFile[], level: number): Promise<Uint8Array> {
  return await compress(tar(files), {
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: windowLog,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
}

export function zip(files: readonly ArchiveFile[]): Uint8Array {
  const entries: Zippable = {};
  for (const { path, content } of files) entries[path] = content;
  // The format has local times: this one is the same everywhere.
  return zipSync(entries, { level: 9, mtime: new Date(1980, 0, 1) });
}

/** A Debian package: control files and data in an `ar` archive. */
export function debianPackage(control: Uint8Array, data: Uint8Array): Uint8Array {
  const members = [
    ["debian-binary", new TextEncoder().encode("2.0\n")],
    ["control.tar.gz", control],
    ["data.tar.zst", data],
  ] as const;
  const parts: Uint8Array[] = [Buffer.from("!<arch>\n")];
  for (const [name, content] of members) {
    const fields = [name.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6)];
    const size = String(content.byteLength).padEnd(10);
    parts.push(Buffer.from(`${fields.join("")}${"100644".padEnd(8)}${size}\`\n`), content);
    if (content.byteLength % 2 === 1) parts.push(Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}

function tarHeader(path: string, size: number, mode: number, type: "0" | "5"): Uint8Array {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for an archive`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, length: number): string =>
    `${value.toString(8).padStart(length - 1, "0")}\0`;
  header.write(path, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(epoch, 12), 136);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\x0000root", 257);
  header.write("root", 297);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
