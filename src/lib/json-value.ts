import { isTooDeep } from "./json-depth.ts";

/** What `JSON.parse` gave, looked at where no schema library shall be paid for. */

/**
 * The value of JSON text; undefined, which no JSON means, for text that is none, and for what nests
 * too deep for whoever goes down into it.
 */
export function parsedJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON text with the members of objects in one order, so that order alone is no difference. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? "";
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, inOrder(member)] as const);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Whether a value is what JSON calls an object: not null, and no list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object's own members by name, whatever the names are; undefined for anything else. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}

/** A text that is not empty; undefined for anything else. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
