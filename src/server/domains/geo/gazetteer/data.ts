import { fileURLToPath } from "node:url";

/**
 * The packed gazetteer, compressed with Zstandard; undefined in an executable that was built
 * without it. An executable has the bytes inside: the build replaces this module.
 */
export async function gazetteerBytes(): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return await Bun.file(fileURLToPath(new URL("gazetteer.zst", import.meta.url))).bytes();
}
