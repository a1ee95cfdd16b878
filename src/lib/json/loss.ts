import { inexactNumberIn, infiniteNumberIn, outOfRange, tooManyDigits } from "./exact.ts";
import { isTooDeep, jsonCounts, mark, nestsTooDeep, scanJson, type JsonCounts } from "./scan.ts";
import { isJsonObject, parsedJson } from "./value.ts";
import { atOnce, type Stepwise } from "../time/stepwise.ts";

/** A detail of JSON text that its parsed value does not keep. */
export interface JsonLoss {
  readonly path: readonly (string | number)[];
  /** Completes a sentence that names the place. */
  readonly detail: string;
}

/** A parsed JSON text and the first detail that its value does not keep. */
export interface JsonReading {
  /** Undefined for text that is not JSON or nests too deep. */
  readonly value: unknown;
  /** Undefined when the value keeps everything. */
  readonly loss: JsonLoss | undefined;
}

/** Reads JSON text; text that nests too deep is not parsed. */
export function jsonReading(text: string): JsonReading {
  const value = parsedJson(text);
  if (value !== undefined) return { value, loss: lossIn(text, value) };
  return { value, loss: isTooDeep(text) ? { path: [], detail: nestsTooDeep } : undefined };
}

/** The first detail of `text` that its parsed `value` loses; the caller bounds the depth. */
export function lossIn(
  text: string,
  value: unknown,
  counts: JsonCounts = jsonCounts(text),
): JsonLoss | undefined {
  return atOnce(findLoss(text, value, counts));
}

/** {@link lossIn} in parts, each of which walks the text or the value once. */
export function* findLoss(
  text: string,
  value: unknown,
  counts: JsonCounts,
): Stepwise<JsonLoss | undefined> {
  // A walk is needed for a text that can have such a name; its letters may be escapes.
  const unusable = /__proto__|\\u00[567]/i.test(text) ? prototypeNameIn(value) : undefined;
  if (unusable !== undefined) return { path: unusable, detail: "is not a usable name" };
  const inexact = inexactNumberIn(text);
  if (inexact !== undefined) return { path: inexact, detail: tooManyDigits };
  yield;
  const infinite = infiniteNumberIn(text, value);
  if (infinite !== undefined) return { path: infinite, detail: outOfRange };
  yield;
  const isRepeated = counts.names !== membersIn(value);
  const repeated = isRepeated ? pathOfRepeated(text) : undefined;
  return repeated && { path: repeated, detail: repeatedName };
}

const repeatedName = "is given more than once: give it one value";

/** The path of the first member named `__proto__`; undefined for none. */
function prototypeNameIn(value: unknown): readonly (string | number)[] | undefined {
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__") return [name];
    const inner = prototypeNameIn(member);
    if (inner !== undefined) return [Array.isArray(value) ? Number(name) : name, ...inner];
  }
  return undefined;
}

/** The number of members of all objects in a value; a repeated name counts once. */
function membersIn(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (typeof item === "object") count += membersIn(item);
  } else if (isJsonObject(value)) {
    // A list of the names would cost more than the rest of this function.
    for (const name in value) {
      count += 1;
      const member = value[name];
      if (typeof member === "object") count += membersIn(member);
    }
  }
  return count;
}

/** An open object or list and the position in it. */
interface Open {
  readonly names: Set<string> | undefined;
  at: string | number;
}

/**
 * The path of the first repeated name. Names may repeat in a JSON object, and parsers differ in
 * which value they keep (RFC 8259, 4).
 */
function pathOfRepeated(text: string): readonly (string | number)[] | undefined {
  const open: Open[] = [];
  let string = "";
  let found: readonly (string | number)[] | undefined;
  scanJson(text, (code, start, end) => {
    const inner = open.at(-1);
    if (code === mark.quote) string = text.slice(start, end + 1);
    else if (code === mark.colon && inner?.names !== undefined) {
      inner.at = String(JSON.parse(string));
      if (inner.names.has(inner.at)) found = open.map(({ at }) => at);
      inner.names.add(inner.at);
    } else if (code === mark.comma) {
      if (typeof inner?.at === "number") inner.at += 1;
    } else if (code === mark.openBrace) open.push({ names: new Set(), at: "" });
    else if (code === mark.openBracket) open.push({ names: undefined, at: 0 });
    else if (code === mark.closeBrace || code === mark.closeBracket) open.pop();
    return found !== undefined;
  });
  return found;
}
