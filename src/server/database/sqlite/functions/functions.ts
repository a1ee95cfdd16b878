import type { Database } from "bun:sqlite";
import { compilePattern } from "#lib/pattern.ts";
import { addGeometryFunctions } from "./geometry-functions.ts";
import { isInside, sidesOf, type Corner, type Side } from "../../where/polygon.ts";

/**
 * Adds the SQL functions of every connection. `pattern_matches(text, pattern, flags)` is 1 or 0,
 * with a pattern that `compilePattern` accepts. `fail_if_stopped()` is 1. Both end their statement
 * when `throwIfStopped` throws. `ring_contains(x, y, ring)` is 1 or 0.
 */
export function addFunctions(database: Database, throwIfStopped: () => void): void {
  // SQLite calls a function for each row only if it is not deterministic.
  database.function("fail_if_stopped", { deterministic: false }, () => {
    throwIfStopped();
    return 1;
  });
  database.function(
    "pattern_matches",
    { deterministic: true },
    (text: unknown, pattern: unknown, flags: unknown) => {
      // One long text may take as long as a thousand rows.
      throwIfStopped();
      if (typeof text !== "string" || typeof pattern !== "string") return 0;
      return compilePattern(pattern, typeof flags === "string" ? flags : "").test(text) ? 1 : 0;
    },
  );
  addGeometryFunctions(database, throwIfStopped);
  const sides = ringSides();
  database.function(
    "ring_contains",
    { deterministic: true },
    (x: unknown, y: unknown, ring: unknown) =>
      isNumber(x) && isNumber(y) && typeof ring === "string"
        ? Number(isInside(sides(ring), Number(x), Number(y)))
        : 0,
  );
}

/** Keeps the sides of the last ring: one query asks for one ring, row after row. */
function ringSides(): (ring: string) => readonly Side[] {
  let text = "";
  let sides: readonly Side[] = [];
  return (ring) => {
    if (ring !== text) {
      sides = sidesOf(JSON.parse(ring) as Corner[]);
      text = ring;
    }
    return sides;
  };
}

/** SQLite passes integers as bigint. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
