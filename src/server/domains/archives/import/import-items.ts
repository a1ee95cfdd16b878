import { isJsonObject } from "#lib/json/value.ts";
import { manifestName, markName } from "#lib/archive/write-archive.ts";
import { archiveEntries, ArchiveDamagedError, partOf } from "#lib/archive/read-archive.ts";

/** Lines and characters of one item: an entry of an export has a few hundred lines. */
const linesAtOnce = 1_000;
const charactersAtOnce = 4 * 1024 * 1024;
const lineCharactersAtMost = 64 * 1024 * 1024;

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
    for await (const lines of linesOf(name, content)) {
      yield { kind: "rows", part: partOf(name), lines };
    }
  }
}

/** The lines of an entry, of which a bounded number is in memory: a few bytes may name millions. */
async function* linesOf(
  name: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly string[], void, undefined> {
  const decoder = new TextDecoder();
  let lines: string[] = [];
  let characters = 0;
  let rest: string[] = [];
  let restCharacters = 0;
  for await (const chunk of content) {
    const pieces = decoder.decode(chunk, { stream: true }).split("\n");
    for (const [at, piece] of pieces.entries()) {
      rest.push(piece);
      restCharacters += piece.length;
      if (restCharacters > lineCharactersAtMost) {
        throw new ArchiveDamagedError(`a line of its entry ${name} is too long`);
      }
      if (at === pieces.length - 1) continue;
      if (restCharacters > 0) lines.push(rest.join(""));
      characters += restCharacters;
      [rest, restCharacters] = [[], 0];
      if (lines.length < linesAtOnce && characters < charactersAtOnce) continue;
      yield lines;
      [lines, characters] = [[], 0];
    }
  }
  if (restCharacters > 0) lines.push(rest.join(""));
  if (lines.length > 0) yield lines;
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
