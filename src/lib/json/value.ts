import { isTooDeep } from "./scan.ts";

/** Checks of parsed JSON for places that must not load a schema library. */

/** The value of JSON text; undefined if it is not JSON or nests too deep for recursive code. */
export function parsedJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON text with the members of each object in sorted order, for comparison. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? "";
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, inOrder(member)] as const);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** True if a value is a JSON object, so neither null nor a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object's own members by name; undefined for other values. */
export function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}

/** A non-empty text; undefined for other values. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
