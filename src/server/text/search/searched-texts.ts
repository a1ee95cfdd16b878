import type { PropertyDefinitions } from "#contract/object-types/properties.ts";
import { placedProperties } from "#contract/object-types/walk.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { cutAt } from "../cut-at-character.ts";
import type { LatinLanguage } from "../terms/languages.ts";
import { isSpelt } from "../terms/terms.ts";
import { visitWords, wordsOfText, type TextWord } from "../terms/text-words.ts";

/** A searchable property and its path of members. */
export interface SearchedProperty {
  /** The names of its path, with dots. */
  readonly name: string;
  readonly path: readonly string[];
}

export interface SearchedText {
  readonly property: string;
  /** The text in form NFC. */
  readonly text: string;
}

/** The version of the terms of entries: a build with other terms writes all entries again. */
export const searchTermsVersion = 1;

/** A text's entry in the search index; a record without words has none. */
export interface SearchEntry extends NotedWords {
  /** The distinct forms of its words, in order. */
  readonly terms: readonly string[];
  /** The number of its words. */
  readonly length: number;
  /** CRC-32 of the terms, to compare an entry with the record's data. */
  readonly checksum: number;
}

/** The words and languages that a workspace remembers of its texts. */
export interface NotedWords {
  /** The distinct words by which misspelt ones are corrected. */
  readonly words: readonly string[];
  /** The languages of texts that are long enough to tell. */
  readonly languages: readonly LatinLanguage[];
}

/** Limit of one record's searched texts, in UTF-16 units. */
const charactersAtMost = 65_536;
/** Distinct terms of one entry, two of most words. */
const termsAtMost = 6_000;

/** The searchable properties of a definition, including nested ones, in its order. */
export function searchedProperties(properties: PropertyDefinitions): SearchedProperty[] {
  return placedProperties(properties)
    .filter(({ property, isItem }) => property.searchable === true && !isItem)
    .map(({ names }) => ({ name: names.join("."), path: names }));
}

/** The searched texts of a record, up to 65,536 UTF-16 units in all. */
export function textsOf(properties: readonly SearchedProperty[], data: JsonObject): SearchedText[] {
  const texts: SearchedText[] = [];
  let left = charactersAtMost;
  for (const { name, path } of properties) {
    for (const value of valuesAt(data, path)) {
      if (left <= 0) return texts;
      const text = value.slice(0, cutAt(value, left)).normalize("NFC");
      left -= text.length;
      texts.push({ property: name, text });
    }
  }
  return texts;
}

/** The texts and numbers at a path. A list counts as its items. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name === undefined) {
    return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return valuesAt(ownMember(value, name), rest);
}

/** The entry of a record in the search index. */
export function searchEntry(
  properties: readonly SearchedProperty[],
  data: JsonObject,
): SearchEntry {
  return entryOf(textsOf(properties, data).map(({ text }) => text));
}

/** The words that a workspace has of a text, also those that an earlier build stored. */
export function notedWords(text: string): Set<string> {
  const words = wordsOfText(text.normalize("NFC"));
  return new Set(words.flatMap(({ term, forms }) => [term, ...forms.slice(0, 1)]));
}

/** The entry of NFC texts, and of further words, such as those of a file's name. */
export function entryOf(
  texts: readonly string[],
  further: readonly Pick<TextWord, "forms">[] = [],
): SearchEntry {
  const distinct = new Set<string>();
  const words = new Set<string>();
  const languages = new Set<LatinLanguage>();
  let length = 0;
  const add = ({ forms }: Pick<TextWord, "forms">): void => {
    length += 1;
    const [word] = forms;
    if (word !== undefined && distinct.size < termsAtMost && isSpelt(word)) words.add(word);
    for (const form of forms) if (distinct.size < termsAtMost) distinct.add(form);
  };
  for (const text of texts) {
    for (const language of visitWords(text, add)) languages.add(language);
  }
  for (const word of further) add(word);
  const terms = [...distinct].toSorted();
  const checksum = Bun.hash.crc32(terms.join(" "));
  return { terms, length, checksum, words: [...words], languages: [...languages] };
}
