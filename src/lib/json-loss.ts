import { inexactNumberIn, infiniteNumberIn, outOfRange, tooManyDigits } from "./exact-json.ts";
import { isTooDeep, nestsTooDeep } from "./json-depth.ts";
import { isJsonObject, parsedJson } from "./json-value.ts";
import { repeatedNameIn } from "./repeated-name.ts";

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
export function lossIn(text: string, value: unknown): JsonLoss | undefined {
  // Walks only a text that can hold such a name; its letters may be escapes.
  const unusable = /__proto__|\\u00[567]/i.test(text) ? prototypeNameIn(value) : undefined;
  if (unusable !== undefined) return { path: unusable, detail: "is not a usable name" };
  const inexact = inexactNumberIn(text);
  if (inexact !== undefined) return { path: inexact, detail: tooManyDigits };
  const infinite = infiniteNumberIn(text, value);
  if (infinite !== undefined) return { path: infinite, detail: outOfRange };
  const repeated = repeatedNameIn(text, value);
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
