import type { Database } from "bun:sqlite";
import { compilePattern } from "#lib/pattern.ts";

/**
 * SQL functions of every connection, also of the scanning threads. `pattern_matches(text, pattern,
 * flags)` is 1 or 0, and 0 for what is no text; the pattern was accepted by `compilePattern` before.
 */
export function addFunctions(database: Database): void {
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
