import { inexactNumberIn, tooManyDigits } from "./exact-json.ts";
import { repeatedNameIn } from "./repeated-name.ts";

/** What a JSON text says and its parsed value does not keep. */
export interface JsonLoss {
  /** The names on the way to it. */
  readonly path: readonly (string | number)[];
  /** The rest of a sentence that its place begins. */
  readonly detail: string;
}

/**
 * The first number with more digits than are kept, or name that stands more than once in its object;
 * undefined for a text that says no more than its value, `value`, does.
 */
export function lossIn(text: string, value: unknown): JsonLoss | undefined {
  const inexact = inexactNumberIn(text);
  if (inexact !== undefined) return { path: inexact, detail: tooManyDigits };
  const repeated = repeatedNameIn(text, value);
  return repeated && { path: repeated, detail: repeatedName };
}

const repeatedName = "stands there more than once: give it one value";
