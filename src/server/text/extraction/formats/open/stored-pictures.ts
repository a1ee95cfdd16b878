import type { ZipArchive } from "../zip.ts";

/** The pictures that an OpenDocument file has in its folder for them. */
export function* picturesOf(archive: ZipArchive): Generator<{ name: string; bytes: Uint8Array }> {
  for (const name of archive.names) {
    if (!name.startsWith("Pictures/") || name.endsWith("/")) continue;
    yield { name: name.slice("Pictures/".length), bytes: archive.read(name) ?? new Uint8Array() };
  }
}

/** A picture within the text of a flat file. */
export function pictureOf(base64: string, at: number): { name: string; bytes: Uint8Array } {
  return { name: `picture ${at + 1}`, bytes: Buffer.from(base64, "base64") };
}
