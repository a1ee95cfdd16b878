import type { Stepwise } from "./time/stepwise.ts";
import { Automaton } from "./pattern/automaton.ts";
import {
  lastCodePoint,
  lineEnds,
  wordCharacters,
  type CharacterSet,
} from "./pattern/character-set.ts";
import {
  parsePattern,
  type Assertion,
  type PatternFlags,
  type PatternNode,
} from "./pattern/syntax.ts";

export { PatternError } from "./pattern/syntax.ts";

/** A regular expression in linear time; it means the same here and on PostgreSQL. */
export interface Pattern {
  /** True if the text has a match anywhere. */
  test(text: string): boolean;
  /** {@link test} in parts of about a millisecond, for long texts. */
  testing(text: string): Stepwise<boolean>;
  /** The most steps for each character of a text. */
  readonly size: number;
  /** The pattern for PostgreSQL's `~` operator. */
  readonly postgresql: string;
  /** Present if the pattern is plain characters, perhaps anchored, and needs no automaton. */
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
    testing: (text) => automaton.testing(text),
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

/** The pattern as PostgreSQL's advanced regular expression; spelled-out sets need no locale. */
function toPostgresql(node: PatternNode): string {
  switch (node.kind) {
    case "set":
      return bracket(node.set);
    case "assertion":
      return assertions[node.at];
    case "sequence":
      return node.parts.length === 0 ? "(?:)" : node.parts.map(toPostgresql).join("");
    case "choice":
      return `(?:${node.options.map(toPostgresql).join("|")})`;
    case "repeat": {
      const { minimum, maximum } = node;
      const bounds =
        maximum === Number.POSITIVE_INFINITY ? `{${minimum},}` : `{${minimum},${maximum}}`;
      return `(?:${toPostgresql(node.part)})${bounds}`;
    }
  }
}

const word = bracket(wordCharacters);
const lineEnd = bracket(lineEnds);

const assertions: Readonly<Record<Assertion, string>> = {
  "text-start": "^",
  "text-end": "$",
  "line-start": `(?:^|(?<=${lineEnd}))`,
  "line-end": `(?:$|(?=${lineEnd}))`,
  "word-edge": `(?:(?<!${word})(?=${word})|(?<=${word})(?!${word}))`,
  "no-word-edge": `(?:(?<!${word})(?!${word})|(?<=${word})(?=${word}))`,
};

function bracket(set: CharacterSet): string {
  if (set.length === 1 && set[0]?.[0] === 0 && set[0][1] === lastCodePoint) return "(?:.|\\n)";
  const ranges = set.flatMap(([first, last]) => {
    // PostgreSQL accepts no NUL and no surrogates in a pattern, and no stored text contains them.
    const from = Math.max(first, 1);
    return [
      [from, Math.min(last, 0xd7_ff)],
      [Math.max(from, 0xe0_00), last],
    ].filter(([start = 0, end = 0]) => start <= end && end > 0);
  });
  return `[${ranges
    .map(([first = 0, last = 0]) =>
      first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`,
    )
    .join("")}]`;
}

function escaped(codePoint: number): string {
  return codePoint > 0xff_ff
    ? `\\U${codePoint.toString(16).padStart(8, "0")}`
    : `\\u${codePoint.toString(16).padStart(4, "0")}`;
}
