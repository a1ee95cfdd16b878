import { compilePattern, type Pattern } from "#lib/pattern.ts";

/** A part of a text, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Steps that the patterns of one document may take; each step is a state of an automaton. */
export class PatternBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** False, for good, when the steps are used up. */
  take({ size }: Pattern, characters: number): boolean {
    this.#left -= size * (characters + 1);
    return this.#left >= 0;
  }
}

/** A longer line is not searched, so that its matches cost little. */
const longestLine = 500;

/**
 * The leftmost, then longest match of a pattern within one line, after the text `after` if that is
 * given. Runs in linear time for each tested part, and ends without a match when the budget does.
 */
export function findPattern(
  text: string,
  source: string,
  { after = "", budget }: { readonly after?: string | undefined; readonly budget: PatternBudget },
): Span | undefined {
  const anywhere = compilePattern(source);
  let lineStart = 0;
  for (const line of text.split("\n")) {
    const from = after === "" ? 0 : endOf(line, after);
    if (from >= 0 && line.length <= longestLine) {
      if (!budget.take(anywhere, line.length)) return undefined;
      const found = anywhere.test(line) ? matchIn(line, source, from, budget) : undefined;
      if (found !== undefined) {
        return { start: lineStart + found.start, end: lineStart + found.end };
      }
    }
    lineStart += line.length + 1;
  }
  return undefined;
}

function endOf(line: string, after: string): number {
  const at = line.toLowerCase().indexOf(after.toLowerCase());
  return at < 0 ? -1 : at + after.length;
}

function matchIn(
  line: string,
  source: string,
  from: number,
  budget: PatternBudget,
): Span | undefined {
  const atStart = compilePattern(`^(?:${source})`);
  const whole = compilePattern(`^(?:${source})$`);
  const edges = new Edges(source);
  for (let start = from; start < line.length; start += 1) {
    if (!edges.mayStart(line, start)) continue;
    const rest = line.slice(start);
    if (!budget.take(atStart, rest.length)) return undefined;
    if (!atStart.test(rest)) continue;
    for (let end = line.length; end > start; end -= 1) {
      if (!edges.mayEnd(line, end)) continue;
      if (!budget.take(whole, end - start)) return undefined;
      if (whole.test(line.slice(start, end))) return { start, end };
    }
  }
  return undefined;
}

/** A part of a line has its own edges, so assertions are checked on the line. */
class Edges {
  readonly #ofLine: boolean;
  readonly #toLine: boolean;
  readonly #ofWords: boolean;

  constructor(source: string) {
    this.#ofLine = source.startsWith("^");
    this.#toLine = /(?<!\\)\$$/.test(source);
    this.#ofWords = source.includes("\\b");
  }

  mayStart(line: string, at: number): boolean {
    if (this.#ofLine && at > 0) return false;
    return !this.#ofWords || !isInWord(line, at);
  }

  mayEnd(line: string, at: number): boolean {
    if (this.#toLine && at < line.length) return false;
    return !this.#ofWords || !isInWord(line, at);
  }
}

function isInWord(line: string, at: number): boolean {
  return /\w/.test(line.charAt(at - 1)) && /\w/.test(line.charAt(at));
}
