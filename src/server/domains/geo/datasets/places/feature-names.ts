import { ownMember } from "#lib/own-member.ts";
import { nameKey } from "../../gazetteer/name-key.ts";

const mostNames = 8;
const longestName = 200;
const mostWords = 16;

/** Names such as `name`, `name:de`, `NAME_LONG`, `ward_name`, `wardName`, and `LAD23NM`. */
const nameLike = [
  /^(?:name|title|label)(?:[_:\-. ][a-z]{2,12})?$/i,
  /^namelsad$|[_:\-. ]name$|^[a-z]{2,8}\d{0,4}nm$/i,
  /[a-z\d]Name$/,
];
const first = ["name", "title", "label"];

/**
 * The names of a feature, the main one first: the values of the declared properties, or without
 * a declaration those of the properties that are called like a name.
 */
export function namesOf(
  properties: Readonly<Record<string, unknown>>,
  declared: readonly string[] = [],
): string[] {
  if (declared.length > 0) {
    const values = declared.map((property) => ownMember(properties, property));
    const texts = values.filter((value) => typeof value === "string" || typeof value === "number");
    const names = texts.map((value) => String(value).trim().slice(0, longestName));
    return [...new Set(names.filter((name) => name !== ""))];
  }
  const found: { readonly name: string; readonly rank: number }[] = [];
  for (const [property, value] of Object.entries(properties)) {
    if (typeof value !== "string" || !nameLike.some((each) => each.test(property))) continue;
    const name = value.trim().slice(0, longestName);
    const rank = first.indexOf(property.toLowerCase());
    if (name !== "") found.push({ name, rank: rank === -1 ? first.length : rank });
  }
  const ordered = found.toSorted((one, other) => one.rank - other.rank);
  return [...new Set(ordered.map(({ name }) => name))].slice(0, mostNames);
}

/** The key of a whole name, which differs from that of a word. */
export function wholeKey(key: string): string {
  return `=${key}`;
}

/** The keys by which a feature with these names is found: whole names, and their words. */
export function keysOf(names: readonly string[]): Set<string> {
  return new Set(
    names.map(nameKey).flatMap((key) => [wholeKey(key), ...key.split(" ").slice(0, mostWords)]),
  );
}
