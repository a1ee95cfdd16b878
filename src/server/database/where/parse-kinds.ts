import type { JsonKind } from "../dialect.ts";

/** What `$type` calls the kinds of JSON; MongoDB has a number for most of them. */
const kindNames: readonly (readonly [name: string, code: number | undefined, kind: JsonKind])[] = [
  ["string", 2, "string"],
  ["number", undefined, "number"],
  ["object", 3, "object"],
  ["array", 4, "array"],
  ["bool", 8, "boolean"],
  ["null", 10, "null"],
];

/** What an operand of `$type` should have been; the rest of a sentence. */
export const wantedKinds = `must be one of ${kindNames.map(([name]) => name).join(", ")}, or a list of them`;

/** The kinds that an operand of `$type` names, one or several; undefined for anything else. */
export function parseKinds(operand: unknown): readonly JsonKind[] | undefined {
  const names: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const kinds = names.flatMap(
    (wanted) => kindNames.find(([name, code]) => wanted === name || wanted === code)?.[2] ?? [],
  );
  return kinds.length > 0 && kinds.length === names.length ? [...new Set(kinds)] : undefined;
}
