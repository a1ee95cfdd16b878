import { contains, lineEnds, wordCharacters, type CharacterSet } from "./character-set.ts";
import type { Instruction } from "./program.ts";
import type { Assertion, Neighbour } from "./syntax.ts";

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

/** Whether an assertion holds between two neighbours. */
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
