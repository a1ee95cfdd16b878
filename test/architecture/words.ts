import { parseSync } from "oxc-parser";

/** A wording to avoid, with the plain one to write instead. */
export interface AvoidedWording {
  readonly pattern: RegExp;
  readonly write: string;
}

/** One use of an avoided wording. */
export interface WordingOffence {
  readonly line: number;
  readonly words: string;
  readonly write: string;
}

/** The table of CONTRIBUTING.md as patterns. Each leaves out the uses that have a plain meaning. */
export const avoidedWordings: readonly AvoidedWording[] = [
  { pattern: /\bbeside\b/gi, write: '"with" or "next to"' },
  { pattern: /\bbehind\b(?! (?:a|the|your) (?:\w+ )?prox)/gi, write: '"after" or "with"' },
  { pattern: /\banew\b/gi, write: '"again"' },
  { pattern: /\bany more\b/gi, write: '"no longer"' },
  { pattern: /\bno more\b(?! than| \w+ than| of)/gi, write: '"no longer"' },
  { pattern: /\bby now\b/gi, write: '"already"' },
  { pattern: /\bas well\b(?! as)/gi, write: '"also"' },
  { pattern: /\b(?:is|are|was|were|be|been) told\b/gi, write: '"is reported"' },
  { pattern: /\b(?:is|are|was|were) said\b/gi, write: '"is reported"' },
  {
    pattern: /\b(?:stands?|stood) (?:there|here|in|at|on|under|twice|once|before|only)\b/gi,
    write: '"is", "exists" or "is given"',
  },
  {
    pattern:
      /\b(?:\d[\d,.]*|requests?|records?|times?|creates?|gets|lists|writes|keys|often) a second\b/gi,
    write: '"per second"',
  },
  { pattern: /\bof (?:its|their|his|her|our|your|my|one's) own\b/gi, write: '"its own"' },
  {
    pattern: /\b(?:whoever|whomever|somebody|nobody(?!@)|everybody|himself|herself)\b/gi,
    write: "the thing that acts: the caller, the client, the job",
  },
  { pattern: /\bshall\b/gi, write: '"must" or "will"' },
  {
    pattern: /(?:^|[.!:] )(?:Of (?!course)|Whose |That which )/g,
    write: "a sentence that begins with its subject",
  },
  {
    pattern: /(?:^|[.!] )(?:What|By) (?![^.?]*\?)/g,
    write: "a sentence that begins with its subject",
  },
];

/** The avoided wordings in comments, string literals and JSX texts of a TypeScript source. */
export function offencesInSource(path: string, text: string): WordingOffence[] {
  return wordingsInSource(path, text, avoidedWordings);
}

/** The comments of a source; line comments that follow each other are one. */
export function commentsOf(path: string, text: string): readonly Piece[] {
  return proseIn(path, text).comments;
}

interface Prose {
  readonly source: string;
  readonly comments: readonly Piece[];
  readonly literals: readonly Piece[];
}

/** The prose of each source that was read, which several tests look at. */
const read = new Map<string, Prose>();

function proseIn(path: string, source: string): Prose {
  const known = read.get(path);
  if (known?.source === source) return known;
  const { program, comments } = parseSync(path, source);
  const prose = { source, comments: proseOf(comments), literals: literalsOf(program) };
  read.set(path, prose);
  return prose;
}

/** The line of a position, from 1. */
export function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

/** The given wordings in comments, string literals and JSX texts of a source. */
export function wordingsInSource(
  path: string,
  text: string,
  wordings: readonly AvoidedWording[],
): WordingOffence[] {
  const { comments, literals } = proseIn(path, text);
  return [...comments, ...literals].flatMap((piece) => offencesIn(text, piece, wordings));
}

function literalsOf(program: unknown): Piece[] {
  const pieces: Piece[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, start = 0, value } = node as { type?: string; start?: number; value?: unknown };
    if (type === "ImportDeclaration" || type === "TSImportType") return;
    // A text without a blank is a name or a key, not prose.
    if (
      (type === "Literal" && typeof value === "string" && /\s/.test(value)) ||
      type === "JSXText"
    ) {
      pieces.push({ start, text: String(value) });
    }
    if (type === "TemplateElement") {
      pieces.push({ start, text: (value as { cooked?: string }).cooked ?? "" });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return pieces;
}

/** The avoided wordings in a Markdown document. */
export function offencesInDocument(text: string): WordingOffence[] {
  return offencesIn(text, { start: 0, text: text.replaceAll("\n", " ") }, avoidedWordings);
}

interface Piece {
  readonly start: number;
  readonly text: string;
}

/** Comments without their margins; line comments that follow each other are one text. */
function proseOf(
  comments: readonly { type: string; value: string; start: number; end: number }[],
): Piece[] {
  const prose: { start: number; end: number; text: string; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    const text = value
      .replaceAll(/\n\s*\* ?/g, " ")
      .replace(/^\*?\s+/, "")
      .trim();
    const last = prose.at(-1);
    const isLine = type === "Line";
    if (isLine && last?.isLine === true && start - last.end < 40) {
      last.text += ` ${text}`;
      last.end = end;
    } else prose.push({ start, end, text, isLine });
  }
  return prose;
}

function offencesIn(
  source: string,
  piece: Piece,
  wordings: readonly AvoidedWording[],
): WordingOffence[] {
  return wordings.flatMap(({ pattern, write }) =>
    [...piece.text.matchAll(pattern)].map(({ index }) => ({
      line: lineAt(source, piece.start),
      words: piece.text.slice(Math.max(0, index - 20), index + 40).trim(),
      write,
    })),
  );
}
