import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { given } from "#lib/given.ts";
import type { ReleasedExecutable } from "./executable.ts";
import { needsFile, readNeeds } from "./needs.ts";

/** The largest archive that is read. */
export const maximumArchiveBytes = 96 * 1024 * 1024;
const maximumUnpackedBytes = 192 * 1024 * 1024;
const blockBytes = 512;

/** The archive can't be read as one of a release. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** The executable in a tar archive that gzip or Zstandard has compressed. Throws `ArchiveError`. */
export function releasedExecutable(archive: Uint8Array): ReleasedExecutable {
  let executable: Uint8Array | undefined;
  let signature: Uint8Array | undefined;
  let needs: Uint8Array | undefined;
  for (const { path, content } of entries(decompressed(archive))) {
    if (/^[^/]+\/bin\/svc(?:\.exe)?$/.test(path)) executable = content;
    if (/^[^/]+\/bin\/svc(?:\.exe)?\.minisig$/.test(path)) signature = content;
    if (path.split("/").length === 2 && path.endsWith(`/${needsFile}`)) needs = content;
  }
  if (executable === undefined || signature === undefined) {
    throw new ArchiveError("the archive has no signed executable");
  }
  const found = needs && readNeeds(needs);
  if (needs !== undefined && found === undefined) {
    throw new ArchiveError("the needs of the release can't be read");
  }
  return { executable, signature: new TextDecoder().decode(signature), ...given({ needs: found }) };
}

function decompressed(archive: Uint8Array): Uint8Array {
  const isGzip = archive[0] === 0x1f && archive[1] === 0x8b;
  const limits = { maxOutputLength: maximumUnpackedBytes };
  try {
    return isGzip ? gunzipSync(archive, limits) : zstdDecompressSync(archive, limits);
  } catch (error) {
    const isLarge =
      error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new ArchiveError(
      isLarge ? "the archive is too large when unpacked" : "the archive is damaged",
      { cause: error },
    );
  }
}

/** The files of a tar archive; its names are matched, and never used as paths. */
function* entries(tar: Uint8Array): Generator<{ path: string; content: Uint8Array }> {
  const decoder = new TextDecoder("latin1");
  const field = (header: Uint8Array, start: number, length: number): string =>
    decoder.decode(header.subarray(start, start + length)).split("\0", 1)[0] ?? "";
  for (let offset = 0; offset + blockBytes <= tar.byteLength;) {
    const header = tar.subarray(offset, offset + blockBytes);
    const name = field(header, 0, 100);
    if (name === "") return;
    const size = Number.parseInt(field(header, 124, 12).trim(), 8);
    const start = offset + blockBytes;
    if (!(size >= 0) || start + size > tar.byteLength) {
      throw new ArchiveError("the archive is damaged");
    }
    const isFile = header[156] === 0x30 || header[156] === 0;
    if (isFile) yield { path: name, content: tar.subarray(start, start + size) };
    offset = start + Math.ceil(size / blockBytes) * blockBytes;
  }
}
