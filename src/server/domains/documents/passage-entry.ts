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

/** The distinct words of a document's name. */
export function nameWords({
  filename,
  title,
}: {
  readonly filename: string;
  readonly title?: string | null | undefined;
}): NameWord[] {
  return wordsOfName(`${filename} ${title ?? ""}`.normalize("NFC")).slice(0, nameWordsAtMost);
}
