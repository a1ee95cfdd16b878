import { contains, lineEnds, wordCharacters, type CharacterSet } from "./character-set.ts";
import { PatternError, type Assertion, type PatternNode } from "./syntax.ts";

type Instruction =
  | { readonly kind: "set"; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: "split"; readonly targets: readonly number[] }
  | { readonly kind: "assertion"; readonly at: Assertion; readonly next: number }
  | { readonly kind: "match" };

/** Bounds what `(a{1,255}){1,255}` unfolds to. */
const maximumInstructions = 4000;
/** Entries of the transition table before it is thrown away and begun again. */
const maximumTransitions = 1 << 19;

const unknown = -1;
const accepting = -2;
const dead = -3;

/** What stands next to a position, as far as assertions ask. */
interface Neighbour {
  readonly isEdge: boolean;
  readonly isWord: boolean;
  readonly isLineEnd: boolean;
}
const textEdge: Neighbour = { isEdge: true, isWord: false, isLineEnd: false };

interface State {
  /** Where the machine may be, before it goes on without a character. */
  readonly instructions: readonly number[];
  readonly before: Neighbour;
}

/**
 * Finds whether a text has a match, in one pass over its characters whatever the pattern: a set of
 * states instead of backtracking, whose transitions are worked out when they are first needed.
 */
export class Automaton {
  readonly #program: readonly Instruction[];
  /** First code point of each character class; all sets of the pattern are unions of classes. */
  readonly #bounds: readonly number[];
  readonly #neighbours: readonly Neighbour[];
  readonly #asciiClasses = new Uint16Array(128);
  readonly #isAnchored: boolean;
  #states: State[] = [];
  #stateNumbers = new Map<string, number>();
  #transitions: Int32Array;
  #acceptsAtEnd: (boolean | undefined)[] = [];

  constructor(node: PatternNode) {
    this.#program = new ProgramBuilder().build(node);
    this.#isAnchored = startsAtTextStart(node);
    this.#bounds = classBounds(this.#program);
    this.#neighbours = this.#bounds.map((first) => ({
      isEdge: false,
      isWord: contains(wordCharacters, first),
      isLineEnd: contains(lineEnds, first),
    }));
    for (let code = 0; code < 128; code += 1) this.#asciiClasses[code] = this.#findClass(code);
    this.#transitions = this.#emptyTable();
    this.#begin();
  }

  test(text: string): boolean {
    const classes = this.#bounds.length;
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      let code = text.charCodeAt(index);
      if (code >= 0xd8_00 && code <= 0xdb_ff) {
        code = text.codePointAt(index) ?? code;
        if (code > 0xff_ff) index += 1;
      }
      const characterClass = code < 128 ? (this.#asciiClasses[code] ?? 0) : this.#findClass(code);
      let next = this.#transitions[state * classes + characterClass] ?? unknown;
      if (next === unknown) next = this.#step(state, characterClass);
      if (next === accepting) return true;
      if (next === dead) return false;
      state = next;
    }
    this.#acceptsAtEnd[state] ??= this.#closure(this.#stateAt(state), textEdge).hasMatch;
    return this.#acceptsAtEnd[state] ?? false;
  }

  /** Only the first state: after a start, and when the table has grown too large. */
  #begin(): void {
    this.#states = [];
    this.#stateNumbers = new Map();
    this.#acceptsAtEnd = [];
    this.#transitions = this.#emptyTable();
    this.#numberOf({ instructions: [0], before: textEdge });
  }

  #emptyTable(): Int32Array {
    return new Int32Array(this.#bounds.length * 16).fill(unknown);
  }

  #step(state: number, characterClass: number): number {
    const current = this.#stateAt(state);
    const neighbour = this.#neighbours[characterClass] ?? textEdge;
    const { hasMatch, sets } = this.#closure(current, neighbour);
    let next: number;
    if (hasMatch) next = accepting;
    else {
      const first = this.#bounds[characterClass] ?? 0;
      const reached = new Set<number>(this.#isAnchored ? [] : [0]);
      for (const instruction of sets) {
        if (contains(instruction.set, first)) reached.add(instruction.next);
      }
      const instructions = [...reached].toSorted((left, right) => left - right);
      if (instructions.length === 0) next = dead;
      else {
        const wanted = { instructions, before: neighbour };
        if (this.#states.length * this.#bounds.length > maximumTransitions) {
          this.#begin();
          return this.#numberOf(wanted);
        }
        next = this.#numberOf(wanted);
      }
    }
    this.#transitions[state * this.#bounds.length + characterClass] = next;
    return next;
  }

  #stateAt(state: number): State {
    const found = this.#states[state];
    if (found === undefined) throw new RangeError("no such state");
    return found;
  }

  #numberOf(state: State): number {
    const { isEdge, isWord, isLineEnd } = state.before;
    const key = `${state.instructions.join()}|${+isEdge}${+isWord}${+isLineEnd}`;
    const known = this.#stateNumbers.get(key);
    if (known !== undefined) return known;
    const number = this.#states.length;
    this.#states.push(state);
    this.#stateNumbers.set(key, number);
    const needed = this.#states.length * this.#bounds.length;
    if (needed > this.#transitions.length) {
      const larger = new Int32Array(needed * 2).fill(unknown);
      larger.set(this.#transitions);
      this.#transitions = larger;
    }
    return number;
  }

  /** Where the state gets without a character, when `after` is what comes next. */
  #closure(
    { instructions, before }: State,
    after: Neighbour,
  ): { hasMatch: boolean; sets: Extract<Instruction, { kind: "set" }>[] } {
    const seen = new Set<number>(instructions);
    const waiting = [...instructions];
    const sets: Extract<Instruction, { kind: "set" }>[] = [];
    const visit = (target: number): void => {
      if (seen.has(target)) return;
      seen.add(target);
      waiting.push(target);
    };
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const instruction = this.#program[next];
      if (instruction === undefined) continue;
      switch (instruction.kind) {
        case "match":
          return { hasMatch: true, sets };
        case "set":
          sets.push(instruction);
          break;
        case "split":
          for (const target of instruction.targets) visit(target);
          break;
        case "assertion":
          if (holds(instruction.at, before, after)) visit(instruction.next);
          break;
      }
    }
    return { hasMatch: false, sets };
  }

  #findClass(code: number): number {
    let low = 0;
    let high = this.#bounds.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#bounds[middle] ?? 0) <= code) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function holds(at: Assertion, before: Neighbour, after: Neighbour): boolean {
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

function startsAtTextStart(node: PatternNode): boolean {
  if (node.kind === "assertion") return node.at === "text-start";
  if (node.kind === "sequence") {
    const [first] = node.parts;
    return first !== undefined && startsAtTextStart(first);
  }
  return node.kind === "choice" && node.options.every(startsAtTextStart);
}

/** Code points at which some set of the program begins or has just ended. */
function classBounds(program: readonly Instruction[]): number[] {
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

class ProgramBuilder {
  readonly #program: Instruction[] = [];

  build(node: PatternNode): readonly Instruction[] {
    // Instructions are made from the end, so that each knows what comes next; 0 is the start.
    this.#program.push({ kind: "split", targets: [] });
    const match = this.#add({ kind: "match" });
    const start = this.#node(node, match);
    this.#program[0] = { kind: "split", targets: [start] };
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
