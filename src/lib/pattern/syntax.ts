import {
  complement,
  digits,
  everything,
  lineEnds,
  single,
  spaces,
  union,
  withBothCases,
  wordCharacters,
  type CharacterSet,
} from "./character-set.ts";

/** A regular expression as a tree. Everything in it can be matched in linear time. */
export type PatternNode =
  | { readonly kind: "set"; readonly set: CharacterSet; readonly literal?: string }
  | { readonly kind: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly part: PatternNode;
      readonly minimum: number;
      readonly maximum: number;
    }
  | { readonly kind: "assertion"; readonly at: Assertion };

export type Assertion =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-edge"
  | "no-word-edge";

/** The character next to a position, as far as assertions depend on it. */
export interface Neighbour {
  readonly isEdge: boolean;
  readonly isWord: boolean;
  readonly isLineEnd: boolean;
}

export interface PatternFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** The fault of a pattern; it completes a sentence: `… has a group that is not closed`. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

const maximumLength = 1000;
const maximumDepth = 50;
/** The largest repetition that PostgreSQL accepts. */
const maximumRepeat = 255;

/** Parses the common part of ECMA-262 and PCRE that needs no backtracking. */
export function parsePattern(source: string, flags: PatternFlags): PatternNode {
  if (source.length > maximumLength) {
    throw new PatternError(`is longer than ${maximumLength} characters`);
  }
  const parser = new Parser(Array.from(source), flags);
  return parser.parse();
}

class Parser {
  readonly #characters: readonly string[];
  readonly #flags: PatternFlags;
  #position = 0;
  #depth = 0;

  constructor(characters: readonly string[], flags: PatternFlags) {
    this.#characters = characters;
    this.#flags = flags;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#position < this.#characters.length) {
      throw new PatternError("has a ) without its (");
    }
    return node;
  }

  #peek(offset = 0): string {
    return this.#characters[this.#position + offset] ?? "";
  }

  #take(): string {
    const character = this.#peek();
    this.#position += 1;
    return character;
  }

  #takeIf(text: string): boolean {
    const characters = Array.from(text);
    if (!characters.every((character, index) => this.#peek(index) === character)) return false;
    this.#position += characters.length;
    return true;
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#takeIf("|")) options.push(this.#sequence());
    return options.length === 1 && options[0] !== undefined
      ? options[0]
      : { kind: "choice", options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#position < this.#characters.length && this.#peek() !== "|") {
      if (this.#peek() === ")") break;
      parts.push(this.#repeated(this.#atom()));
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "sequence", parts };
  }

  #repeated(part: PatternNode): PatternNode {
    const bounds = this.#bounds();
    if (bounds === undefined) return part;
    if (part.kind === "assertion") throw new PatternError("repeats an anchor");
    // Greedy or lazy decides what is captured, not whether there is a match.
    this.#takeIf("?");
    if (this.#peek() === "+" || this.#bounds() !== undefined) {
      throw new PatternError("has a repetition of a repetition without a group");
    }
    return { kind: "repeat", part, ...bounds };
  }

  #bounds(): { minimum: number; maximum: number } | undefined {
    if (this.#takeIf("*")) return { minimum: 0, maximum: Number.POSITIVE_INFINITY };
    if (this.#takeIf("+")) return { minimum: 1, maximum: Number.POSITIVE_INFINITY };
    if (this.#takeIf("?")) return { minimum: 0, maximum: 1 };
    if (this.#peek() !== "{") return undefined;
    const rest = this.#characters.slice(this.#position, this.#position + 12).join("");
    const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(rest);
    if (found === null)
      throw new PatternError("has a { that is not a repetition: write \\{ for it");
    this.#position += found[0].length;
    const minimum = Number(found[1]);
    const maximum =
      found[2] === undefined
        ? minimum
        : found[3] === ""
          ? Number.POSITIVE_INFINITY
          : Number(found[3]);
    if (maximum < minimum) throw new PatternError("has a repetition whose bounds are swapped");
    if (minimum > maximumRepeat || (Number.isFinite(maximum) && maximum > maximumRepeat)) {
      throw new PatternError(`repeats more than ${maximumRepeat} times`);
    }
    return { minimum, maximum };
  }

  #atom(): PatternNode {
    const character = this.#take();
    switch (character) {
      case "(":
        return this.#group();
      case "[":
        return this.#set(this.#bracket());
      case ".":
        return { kind: "set", set: this.#flags.dotAll ? everything : complement(lineEnds) };
      case "^":
        return { kind: "assertion", at: this.#flags.multiline ? "line-start" : "text-start" };
      case "$":
        return { kind: "assertion", at: this.#flags.multiline ? "line-end" : "text-end" };
      case "\\":
        return this.#escape();
      case "*":
      case "+":
      case "?":
      case "{":
        throw new PatternError(`has a ${character} with nothing to repeat`);
      default:
        return this.#literal(character);
    }
  }

  #group(): PatternNode {
    if (this.#takeIf("?")) {
      if (!this.#takeIf(":")) {
        const isNamed = this.#peek() === "<" && /[A-Za-z_]/.test(this.#peek(1));
        if (!isNamed) {
          throw new PatternError("looks around or sets flags inside, which is not supported");
        }
        while (this.#position < this.#characters.length && this.#peek() !== ">") this.#take();
        this.#take();
      }
    }
    this.#depth += 1;
    if (this.#depth > maximumDepth) {
      throw new PatternError(`nests deeper than ${maximumDepth} groups`);
    }
    const node = this.#choice();
    this.#depth -= 1;
    if (!this.#takeIf(")")) throw new PatternError("has a group that is not closed");
    return node;
  }

  #escape(): PatternNode {
    const next = this.#peek();
    if (next === "b" || next === "B") {
      this.#take();
      return { kind: "assertion", at: next === "b" ? "word-edge" : "no-word-edge" };
    }
    const escaped = this.#escaped();
    return typeof escaped === "number"
      ? this.#literal(String.fromCodePoint(escaped))
      : this.#set(escaped);
  }

  /** Reads the character or set after a backslash, inside or outside of brackets. */
  #escaped(): number | CharacterSet {
    if (this.#position >= this.#characters.length) throw new PatternError("ends with a backslash");
    const character = this.#take();
    const set = escapedSets[character];
    if (set !== undefined) return set;
    const control = escapedControls[character];
    if (control !== undefined) return control;
    if (character === "x") return this.#hexadecimal(2);
    if (character === "u") return this.#hexadecimal(4);
    if (/[A-Za-z0-9]/.test(character)) {
      throw new PatternError(`has \\${character}, which is not supported`);
    }
    return character.codePointAt(0) ?? 0;
  }

  #hexadecimal(length: number): number {
    const text = this.#characters.slice(this.#position, this.#position + length).join("");
    if (!/^[0-9a-fA-F]+$/.test(text) || text.length !== length) {
      throw new PatternError("has an escape without its hexadecimal digits");
    }
    this.#position += length;
    const codePoint = Number.parseInt(text, 16);
    if (codePoint === 0 || (codePoint >= 0xd8_00 && codePoint <= 0xdf_ff)) {
      throw new PatternError("names a character that no text holds");
    }
    return codePoint;
  }

  #bracket(): CharacterSet {
    const isNegated = this.#takeIf("^");
    const ranges: CharacterSet[number][] = [];
    for (;;) {
      if (this.#position >= this.#characters.length) {
        throw new PatternError("has a [ that is not closed");
      }
      if (this.#takeIf("]")) break;
      const first = this.#bracketMember();
      if (typeof first !== "number") {
        ranges.push(...first);
        continue;
      }
      const isRange = this.#peek() === "-" && this.#peek(1) !== "]" && this.#peek(1) !== "";
      if (!isRange) {
        ranges.push([first, first]);
        continue;
      }
      this.#take();
      const last = this.#bracketMember();
      if (typeof last !== "number" || last < first) {
        throw new PatternError("has a range in [] whose ends are swapped or no characters");
      }
      ranges.push([first, last]);
    }
    const set = this.#flags.ignoreCase ? withBothCases(union(ranges)) : union(ranges);
    return isNegated ? complement(set) : set;
  }

  #bracketMember(): number | CharacterSet {
    const character = this.#take();
    if (character !== "\\") {
      if (character === "[" && (this.#peek() === ":" || this.#peek() === ".")) {
        throw new PatternError("has a POSIX class, which is not supported");
      }
      return character.codePointAt(0) ?? 0;
    }
    if (this.#takeIf("b")) return 8;
    return this.#escaped();
  }

  #literal(character: string): PatternNode {
    const node = this.#set(single(character.codePointAt(0) ?? 0));
    return this.#flags.ignoreCase ? node : { ...node, literal: character };
  }

  #set(set: CharacterSet): PatternNode & { kind: "set" } {
    if (set.length === 0) throw new PatternError("has [] that no character fits");
    return { kind: "set", set: this.#flags.ignoreCase ? withBothCases(set) : set };
  }
}

const escapedSets: Readonly<Record<string, CharacterSet>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
};

const escapedControls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
