import type { JsonKind } from "../dialect.ts";
import type { RemainderTest } from "./condition.ts";

/** JSON kinds as `$type` names them; MongoDB has a number for most of them. */
const kindNames: readonly (readonly [name: string, code: number | undefined, kind: JsonKind])[] = [
  ["string", 2, "string"],
  ["number", undefined, "number"],
  ["object", 3, "object"],
  ["array", 4, "array"],
  ["bool", 8, "boolean"],
  ["null", 10, "null"],
];

/** The fault of an operand that {@link parseKinds} does not accept. */
export const kindsFault = `must be one of ${kindNames.map(([name]) => name).join(", ")}, or a list of them`;

/** The kinds that an operand of `$type` names; undefined for an invalid operand. */
export function parseKinds(operand: unknown): readonly JsonKind[] | undefined {
  const names: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  const kinds = names.flatMap(
    (given) => kindNames.find(([name, code]) => given === name || given === code)?.[2] ?? [],
  );
  return kinds.length > 0 && kinds.length === names.length ? [...new Set(kinds)] : undefined;
}

/** The fault of an operand that {@link parseRemainder} does not accept. */
export const remainderFault = "must be [divisor, remainder]: two numbers, the divisor not 0";

/** The test of a `$mod` operand, its numbers truncated; undefined for an invalid operand. */
export function parseRemainder(operand: unknown): RemainderTest | undefined {
  if (!Array.isArray(operand) || operand.length !== 2) return undefined;
  const [divisor, remainder] = operand.map((part: unknown) =>
    // `+ 0` turns -0 into 0; PostgreSQL would receive "-0".
    typeof part === "number" ? Math.trunc(part) + 0 : undefined,
  );
  if (!isSafe(divisor) || !isSafe(remainder) || divisor === 0) return undefined;
  return { kind: "remainder", divisor, remainder };
}

function isSafe(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}
