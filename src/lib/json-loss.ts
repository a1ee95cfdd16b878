import { inexactNumberIn, infiniteNumberIn, outOfRange, tooManyDigits } from "./exact-json.ts";
import { isTooDeep, nestsTooDeep } from "./json-depth.ts";
import { isJsonObject, parsedJson } from "./json-value.ts";
import { repeatedNameIn } from "./repeated-name.ts";

/** What a JSON text says and its parsed value does not keep. */
export interface JsonLoss {
  /** The names on the way to it. */
  readonly path: readonly (string | number)[];
  /** The rest of a sentence that its place begins. */
  readonly detail: string;
}

/** What JSON text means, where it is JSON and its value keeps all of it. */
export interface JsonReading {
  /** Undefined, which no JSON means, for text that is none, and for what nests too deep. */
  readonly value: unknown;
  /** What the value does not keep; undefined for nothing. */
  readonly loss: JsonLoss | undefined;
}

/** Reads JSON text of any depth: what nests too deep is not even parsed. */
export function jsonReading(text: string): JsonReading {
  const value = parsedJson(text);
  if (value !== undefined) return { value, loss: lossIn(text, value) };
  return { value, loss: isTooDeep(text) ? { path: [], detail: nestsTooDeep } : undefined };
}

/**
 * The first name that whoever copies an object leaves out or takes for its prototype, number with
 * more digits than are kept or out of range, or name that stands more than once in its object;
 * undefined for a text that says no more than its value, `value`, does. It goes down as deep as the
 * text does, which is for its caller to bound; {@link jsonReading} does.
 */
export function lossIn(text: string, value: unknown): JsonLoss | undefined {
  // Only a text that could hold such a name is walked; its letters may be written as escapes.
  const unusable = /__proto__|\\u00[567]/i.test(text) ? prototypeNameIn(value) : undefined;
  if (unusable !== undefined) return { path: unusable, detail: "is not a usable name" };
  const inexact = inexactNumberIn(text);
  if (inexact !== undefined) return { path: inexact, detail: tooManyDigits };
  const infinite = infiniteNumberIn(text, value);
  if (infinite !== undefined) return { path: infinite, detail: outOfRange };
  const repeated = repeatedNameIn(text, value);
  return repeated && { path: repeated, detail: repeatedName };
}

const repeatedName = "stands there more than once: give it one value";

/** The names on the way to the first member named `__proto__`; undefined for none. */
function prototypeNameIn(value: unknown): readonly (string | number)[] | undefined {
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name === "__proto__") return [name];
    const inner = prototypeNameIn(member);
    if (inner !== undefined) return [Array.isArray(value) ? Number(name) : name, ...inner];
  }
  return undefined;
}
