import type { Database } from "bun:sqlite";
import { compilePattern } from "#lib/pattern.ts";
import { isInside, sidesOf, type Corner, type Side } from "../where/polygon.ts";

/**
 * SQL functions of every connection, also of the scanning threads. `pattern_matches(text, pattern,
 * flags)` is 1 or 0, and 0 for what is no text; the pattern was accepted by `compilePattern` before.
 * `scan_is_wanted()` is 1. Both end their statement when `refuseUnwanted` throws.
 */
export function addFunctions(database: Database, refuseUnwanted: () => void): void {
  // Another value each time, for all that SQLite knows: it may not be asked just once.
  database.function("scan_is_wanted", { deterministic: false }, () => {
    refuseUnwanted();
    return 1;
  });
  database.function(
    "pattern_matches",
    { deterministic: true },
    (text: unknown, pattern: unknown, flags: unknown) => {
      // Looking through one long text may take as long as a thousand rows.
      refuseUnwanted();
      if (typeof text !== "string" || typeof pattern !== "string") return 0;
      return compilePattern(pattern, typeof flags === "string" ? flags : "").test(text) ? 1 : 0;
    },
  );
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

/** The sides of the ring that was asked for last: one query asks for one ring, row after row. */
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

/** Whole numbers come as bigint. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
