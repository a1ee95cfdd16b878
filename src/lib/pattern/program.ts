import { contains, lineEnds, wordCharacters, type CharacterSet } from "./character-set.ts";
import { PatternError, type Assertion, type Neighbour, type PatternNode } from "./syntax.ts";

/** An instruction of the automaton; its index in the program is its number. */
export type Instruction =
  | { readonly kind: "set"; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: "split"; readonly targets: readonly number[] }
  | { readonly kind: "assertion"; readonly at: Assertion; readonly next: number }
  | { readonly kind: "match" };

/** The instructions that the automaton may be at, and the character before them. */
export interface State {
  readonly instructions: readonly number[];
  readonly before: Neighbour;
}

export const firstInstruction = 0;

/** Limits the size of a pattern such as `(a{1,255}){1,255}`. */
const maximumInstructions = 4000;

/** The pattern as a program. Throws `PatternError` for one that is too large. */
export function programOf(node: PatternNode): readonly Instruction[] {
  return new ProgramBuilder().build(node);
}

/** True if a match can begin only at the start of the text. */
export function startsAtTextStart(node: PatternNode): boolean {
  if (node.kind === "assertion") return node.at === "text-start";
  if (node.kind === "sequence") {
    const [first] = node.parts;
    return first !== undefined && startsAtTextStart(first);
  }
  return node.kind === "choice" && node.options.every(startsAtTextStart);
}

class ProgramBuilder {
  readonly #program: Instruction[] = [];

  build(node: PatternNode): readonly Instruction[] {
    // Builds from the end, so that each instruction knows its successor; the start is set last.
    this.#program.push({ kind: "split", targets: [] });
    const match = this.#add({ kind: "match" });
    const start = this.#node(node, match);
    this.#program[firstInstruction] = { kind: "split", targets: [start] };
    return this.#program;
  }

  #add(instruction: Instruction): number {
    if (this.#program.length >= maximumInstructions) {
      throw new PatternError("is too large: its repetitions multiply");
    }
    return this.#program.push(instruction) - 1;
  }

  #node(node: PatternNode, next: number): number {
    switch (node.kind) {
      case "set":
        return this.#add({ kind: "set", set: node.set, next });
      case "assertion":
        return this.#add({ kind: "assertion", at: node.at, next });
      case "sequence":
        return node.parts.reduceRight((after, part) => this.#node(part, after), next);
      case "choice":
        return this.#add({
          kind: "split",
          targets: node.options.map((option) => this.#node(option, next)),
        });
      case "repeat":
        return this.#repeat(node, next);
    }
  }

  #repeat(node: Extract<PatternNode, { kind: "repeat" }>, next: number): number {
    const { part, minimum, maximum } = node;
    let start = next;
    if (maximum === Number.POSITIVE_INFINITY) {
      const loop = this.#add({ kind: "split", targets: [] });
      const body = this.#node(part, loop);
      this.#program[loop] = { kind: "split", targets: [body, next] };
      start = loop;
    } else {
      for (let count = minimum; count < maximum; count += 1) {
        const body = this.#node(part, start);
        start = this.#add({ kind: "split", targets: [body, next] });
      }
    }
    for (let count = 0; count < minimum; count += 1) start = this.#node(part, start);
    return start;
  }
}

export const textEdge: Neighbour = { isEdge: true, isWord: false, isLineEnd: false };

/** Groups characters that no instruction of a program distinguishes into one class. */
export class CharacterClasses {
  /** First code point of each class. */
  readonly bounds: readonly number[];
  /** A character of each class, as its neighbours see it. */
  readonly neighbours: readonly Neighbour[];
  /** Classes of the first 128 characters, for fast access. */
  readonly ofAscii = new Uint16Array(128);

  constructor(program: readonly Instruction[]) {
    this.bounds = boundsOf(program);
    this.neighbours = this.bounds.map((first) => ({
      isEdge: false,
      isWord: contains(wordCharacters, first),
      isLineEnd: contains(lineEnds, first),
    }));
    for (let code = 0; code < 128; code += 1) this.ofAscii[code] = this.#find(code);
  }

  get count(): number {
    return this.bounds.length;
  }

  of(code: number): number {
    return code < 128 ? (this.ofAscii[code] ?? 0) : this.#find(code);
  }

  #find(code: number): number {
    let low = 0;
    let high = this.bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.bounds[middle] ?? 0) <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Code points at which a set of the program begins, or the first one after its end. */
function boundsOf(program: readonly Instruction[]): number[] {
  const bounds = new Set([0]);
  const add = (set: CharacterSet): void => {
    for (const [first, last] of set) {
      bounds.add(first);
      bounds.add(last + 1);
    }
  };
  for (const instruction of program) {
    if (instruction.kind === "set") add(instruction.set);
    else if (instruction.kind === "assertion") add([...wordCharacters, ...lineEnds]);
  }
  return [...bounds].toSorted((left, right) => left - right);
}

/** True if an assertion holds between two neighbours. */
export function holds(at: Assertion, before: Neighbour, after: Neighbour): boolean {
  switch (at) {
    case "text-start":
      return before.isEdge;
    case "text-end":
      return after.isEdge;
    case "line-start":
      return before.isEdge || before.isLineEnd;
    case "line-end":
      return after.isEdge || after.isLineEnd;
    case "word-edge":
      return before.isWord !== after.isWord;
    case "no-word-edge":
      return before.isWord === after.isWord;
  }
}
