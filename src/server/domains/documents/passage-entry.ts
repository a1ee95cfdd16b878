import { RecentMap } from "../../kit/recent-map.ts";
import { entryOf, type SearchEntry } from "../../text/search/searched-texts.ts";
import { wordsOfName, type TextWord } from "../../text/terms/text-words.ts";

const nameWordsAtMost = 40;

/** A word of a document's name, which counts for each of its passages. */
export type NameWord = Pick<TextWord, "term" | "forms">;

/** The search entry of a passage with its headings, which count twice, and its document's name. */
export function passageEntry(
  { text, headings }: { readonly text: string; readonly headings: string },
  names: readonly NameWord[],
): SearchEntry {
  return entryOf([text.normalize("NFC"), headings.normalize("NFC")], names);
}

/** Names whose words are kept: each search reads those of its candidates. */
const namesAtMost = 8_000;
const keptNames = new RecentMap<string, readonly NameWord[]>(namesAtMost);
/** A longer name is not kept. */
const keptCharacters = 300;

/** The distinct words of a document's name. */
export function nameWords({
  filename,
  title,
}: {
  readonly filename: string;
  readonly title?: string | null | undefined;
}): readonly NameWord[] {
  const name = `${filename} ${title ?? ""}`;
  const known = keptNames.get(name);
  if (known !== undefined) return known;
  const words = wordsOfName(name.normalize("NFC")).slice(0, nameWordsAtMost);
  if (name.length <= keptCharacters) keptNames.set(name, words);
  return words;
}
