import { walkProperties, type PropertyDefinitions } from "#contract/object-types/property-paths.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import { cutAt } from "../cut-at-character.ts";
import { wordsOf } from "./search-terms.ts";

/** A property whose texts are searched, and the members that lead to it. */
export interface SearchedProperty {
  /** Dotted. */
  readonly name: string;
  readonly path: readonly string[];
}

export interface SearchedText {
  readonly property: string;
  /** In form NFC. */
  readonly text: string;
}

/** What the search index holds of a record; without terms the record is not in it. */
export interface SearchEntry {
  /** Each once, in order. */
  readonly terms: readonly string[];
  /** Words in all. */
  readonly length: number;
  /** Of the terms: says whether an entry is what the data give. */
  readonly checksum: number;
}

/** UTF-16 units of one record that are searched. */
const charactersAtMost = 65_536;
const termsAtMost = 4_000;

/** The searchable properties of a definition, those within others too, in its order. */
export function searchedProperties(properties: PropertyDefinitions): SearchedProperty[] {
  return [...walkProperties(properties)]
    .filter(({ property, isItem }) => property.searchable === true && !isItem)
    .map(({ names }) => ({ name: names.join("."), path: names }));
}

/** The searched texts of a record, up to a limit in all. */
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

/** A list on the way, and at the end, stands for its items. */
function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name === undefined) {
    return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return valuesAt(ownMember(value, name), rest);
}

/** What the search index keeps of a record: its distinct terms, and how many words it has. */
export function searchEntry(
  properties: readonly SearchedProperty[],
  data: JsonObject,
): SearchEntry {
  const distinct = new Set<string>();
  let length = 0;
  for (const { text } of textsOf(properties, data)) {
    for (const { term } of wordsOf(text)) {
      length += 1;
      if (distinct.size < termsAtMost) distinct.add(term);
    }
  }
  const terms = [...distinct].toSorted();
  return { terms, length, checksum: Bun.hash.crc32(terms.join(" ")) };
}
