import type { RemainderTest } from "./condition.ts";

/** What an operand of `$mod` should have been; the rest of a sentence. */
export const wantedRemainder = "must be [divisor, remainder]: two numbers, the divisor not 0";

/** What an operand of `$mod` asks, its numbers cut to whole ones; undefined for anything else. */
export function parseRemainder(operand: unknown): RemainderTest | undefined {
  if (!Array.isArray(operand) || operand.length !== 2) return undefined;
  const [divisor, remainder] = operand.map((part: unknown) =>
    // Below 0 and above -1, the whole number is -0, which PostgreSQL would be sent as it is.
    typeof part === "number" ? Math.trunc(part) + 0 : undefined,
  );
  if (!isSafe(divisor) || !isSafe(remainder) || divisor === 0) return undefined;
  return { kind: "remainder", divisor, remainder };
}

function isSafe(value: number | undefined): value is number {
  return Number.isSafeInteger(value);
}
