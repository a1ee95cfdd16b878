import { isJsonObject } from "#lib/json/value.ts";
import { manifestName, markName } from "#lib/archive/write-archive.ts";
import { archiveEntries, ArchiveDamagedError, partOf } from "#lib/archive/read-archive.ts";

/** The largest entry with lines: those of an export have a few hundred. */
const entryBytesAtMost = 256 * 1024 * 1024;

/** Lines of a part, or a file whose content is read before the next item. */
export type ImportItem =
  | { readonly kind: "rows"; readonly part: string; readonly lines: readonly string[] }
  | {
      readonly kind: "file";
      readonly sha256: string;
      readonly size: number;
      readonly content: AsyncIterable<Uint8Array>;
    };

/** The items of an archive, in its order. */
export async function* importItems(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ImportItem, void, undefined> {
  for await (const { name, size, content } of archiveEntries(bytes)) {
    if (name === markName || name === manifestName) continue;
    if (name.startsWith("files/")) {
      yield { kind: "file", sha256: name.slice("files/".length), size, content };
      continue;
    }
    if (size > entryBytesAtMost) throw new ArchiveDamagedError(`its entry ${name} is too large`);
    const chunks = await Array.fromAsync(content);
    const text = Buffer.concat(chunks).toString("utf8");
    const lines = text.split("\n").filter((line) => line !== "");
    yield { kind: "rows", part: partOf(name), lines };
  }
}

/** The values of a line; throws `ArchiveDamagedError` for one that is no object. */
export function valuesOf(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new ArchiveDamagedError("a line is not JSON", { cause: error });
  }
  if (isJsonObject(value)) return value;
  throw new ArchiveDamagedError("a line is not an object");
}
