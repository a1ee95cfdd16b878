import type { Database } from "bun:sqlite";
import { compilePattern } from "#lib/pattern.ts";

/**
 * SQL functions of every connection, also of the scanning threads. `pattern_matches(text, pattern,
 * flags)` is 1 or 0, and 0 for what is no text; the pattern was accepted by `compilePattern` before.
 * `scan_is_wanted()` is 1 unless `refuseUnwanted` throws, which ends the statement.
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
    (text: unknown, pattern: unknown, flags: unknown) =>
      typeof text === "string" &&
      typeof pattern === "string" &&
      compilePattern(pattern, typeof flags === "string" ? flags : "").test(text)
        ? 1
        : 0,
  );
}
