import type { TermFinder } from "../../../text/search/asked-terms.ts";
import type { SearchedText } from "../../../text/search/searched-texts.ts";
import { visitWords } from "../../../text/terms/text-words.ts";
import type { ReadableType } from "../../object-types/service.ts";

/** The weight of a word in a record's title next to one of another text. */
const titleWeight = 2;

/** The name of the searched property with a record's title; undefined for none. */
export function titleOf({ properties, searched }: ReadableType): string | undefined {
  const isTitle = (name: string): boolean => properties[name]?.meaning === "title";
  const names = searched.map(({ name }) => name);
  return names.find(isTitle) ?? names.find((name) => name === "title" || name === "name");
}

export interface CountedWords {
  /** How often the record has each term of the query. */
  readonly counts: ReadonlyMap<string, number>;
  /** All its words, with which a spelling is compared. */
  readonly spelt: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Counts the terms of a query in the texts of a record; those in its title count more. */
export function countWords(
  texts: readonly SearchedText[],
  {
    finder,
    title,
    isSpelt,
  }: {
    readonly finder: TermFinder;
    readonly title: string | undefined;
    readonly isSpelt: boolean;
  },
): CountedWords {
  const counts = new Map<string, number>();
  const spelt = new Map<string, number>();
  let length = 0;
  for (const { property, text } of texts) {
    const weight = property === title ? titleWeight : 1;
    visitWords(text, (word) => {
      length += 1;
      for (const term of finder.termsOf(word)) counts.set(term, (counts.get(term) ?? 0) + weight);
      if (isSpelt) spelt.set(word.term, 1);
    });
  }
  return { counts, spelt, length };
}
