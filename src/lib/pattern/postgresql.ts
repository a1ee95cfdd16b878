import { lastCodePoint, lineEnds, wordCharacters, type CharacterSet } from "./character-set.ts";
import type { Assertion, PatternNode } from "./syntax.ts";

/** The pattern as PostgreSQL's advanced regular expression; spelled-out sets need no locale. */
export function toPostgresql(node: PatternNode): string {
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
