import type { PropertyDefinitions } from "#contract/object-types/properties.ts";
import { placedProperties } from "#contract/object-types/walk.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { cutAt } from "../cut-at-character.ts";
import { termsOfText } from "../terms/terms.ts";

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

/** A text's entry in the search index; a record without terms has none. */
export interface SearchEntry {
  /** The distinct terms, in order. */
  readonly terms: readonly string[];
  /** The number of its words. */
  readonly length: number;
  /** CRC-32 of the terms, to compare an entry with the record's data. */
  readonly checksum: number;
}

/** Limit of one record's searched texts, in UTF-16 units. */
const charactersAtMost = 65_536;
/** Distinct terms of one entry. */
const termsAtMost = 4_000;

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
  return entryOf(textsOf(properties, data).flatMap(({ text }) => termsOfText(text)));
}

/** An entry of these terms, with repetitions. */
export function entryOf(words: readonly string[]): SearchEntry {
  const distinct = new Set<string>();
  for (const word of words) {
    if (distinct.size === termsAtMost) break;
    distinct.add(word);
  }
  const terms = [...distinct].toSorted();
  return { terms, length: words.length, checksum: Bun.hash.crc32(terms.join(" ")) };
}
