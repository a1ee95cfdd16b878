import { Automaton } from "./pattern/automaton.ts";
import { toPostgresql } from "./pattern/postgresql.ts";
import { parsePattern, type PatternFlags, type PatternNode } from "./pattern/syntax.ts";

export { PatternError } from "./pattern/syntax.ts";

/** Regular expressions in linear time; they mean the same here and on PostgreSQL. */
export interface Pattern {
  /** Whether the text has a match anywhere. */
  test(text: string): boolean;
  /** Steps that each character of a text may take. */
  readonly size: number;
  /** The pattern for PostgreSQL's `~` operator. */
  readonly postgresql: string;
  /** Set when the pattern is plain characters, perhaps anchored, and needs no automaton. */
  readonly literal: LiteralPattern | undefined;
}

export interface LiteralPattern {
  readonly text: string;
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}

/** Supported letters of `$options`: `i` ignores case, `m` matches lines, `s` lets `.` match all. */
export const patternFlags = "ims";

const keptPatterns = 256;
const patterns = new Map<string, Pattern>();

/** Compiles a pattern, or throws `PatternError`. `flags` are letters of {@link patternFlags}. */
export function compilePattern(source: string, flags = ""): Pattern {
  const key = `${flags}/${source}`;
  const kept = patterns.get(key);
  if (kept !== undefined) return kept;
  const pattern = compile(source, {
    ignoreCase: flags.includes("i"),
    multiline: flags.includes("m"),
    dotAll: flags.includes("s"),
  });
  if (patterns.size >= keptPatterns) {
    const oldest = patterns.keys().next();
    if (!oldest.done) patterns.delete(oldest.value);
  }
  patterns.set(key, pattern);
  return pattern;
}

function compile(source: string, flags: PatternFlags): Pattern {
  const node = parsePattern(source, flags);
  const automaton = new Automaton(node);
  return {
    test: (text) => automaton.test(text),
    size: automaton.size,
    postgresql: toPostgresql(node),
    literal: literalOf(node),
  };
}

function literalOf(node: PatternNode): LiteralPattern | undefined {
  const parts = node.kind === "sequence" ? [...node.parts] : [node];
  const isAnchor = (part: PatternNode | undefined, at: string): boolean =>
    part?.kind === "assertion" && part.at === at;
  const isAtStart = isAnchor(parts[0], "text-start");
  if (isAtStart) parts.shift();
  const isAtEnd = isAnchor(parts.at(-1), "text-end");
  if (isAtEnd) parts.pop();
  let text = "";
  for (const part of parts) {
    if (part.kind !== "set" || part.literal === undefined) return undefined;
    text += part.literal;
  }
  return { text, isAtStart, isAtEnd };
}
