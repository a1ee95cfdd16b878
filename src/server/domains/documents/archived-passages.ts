import { isJsonObject } from "#lib/json/value.ts";
import type { SearchWords } from "../../search-index/word-list.ts";
import type { Transaction } from "../../work/work.ts";
import { nameWords, passageEntry } from "./passage-entry.ts";
import { documentById } from "./store/documents.ts";
import { insertPassages, type NewPassage } from "./store/passages.ts";

/** Passages of one transaction; an insert takes about 0.2 ms. */
const passagesAtATime = 25;

interface Uses {
  readonly words: SearchWords;
  readonly write: <T>(unit: (tx: Transaction) => Promise<T>) => Promise<T>;
}

/** A document whose passages an archive has; `properties` is JSON text. */
interface Owner {
  readonly workspaceId: string;
  readonly id: string;
  readonly filename: string;
  readonly properties: string | null;
}

/** Stores passages of an archive, and their search entries; returns how many. */
export async function archivedPassages(
  { words, write }: Uses,
  owner: Owner,
  lines: readonly Readonly<Record<string, unknown>>[],
): Promise<number> {
  const properties: unknown = owner.properties === null ? null : JSON.parse(owner.properties);
  const title = isJsonObject(properties) ? properties["title"] : undefined;
  const names = nameWords({
    filename: owner.filename,
    title: typeof title === "string" ? title : undefined,
  });
  for (let start = 0; start < lines.length; start += passagesAtATime) {
    const some = lines.slice(start, start + passagesAtATime).map((line): NewPassage => {
      const [text, headings] = [String(line["text"]), String(line["headings"])];
      return {
        ordinal: Number(line["ordinal"]),
        page: Number(line["page"]),
        start: Number(line["span_start"]),
        end: Number(line["span_end"]),
        text,
        headings,
        entry: passageEntry({ text, headings }, names),
      };
    });
    await words.note(
      owner.workspaceId,
      some.map(({ entry }) => entry),
    );
    await write(async (tx) => {
      const document = await documentById(tx, owner);
      if (document !== undefined) await insertPassages(tx, document, some);
    });
  }
  return lines.length;
}
