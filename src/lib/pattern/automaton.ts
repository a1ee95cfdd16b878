import { contains } from "./character-set.ts";
import { CharacterClasses, textEdge } from "./classes.ts";
import {
  firstInstruction,
  programOf,
  startsAtTextStart,
  type Instruction,
  type State,
} from "./program.ts";
import type { Neighbour, PatternNode } from "./syntax.ts";
import { Walk, withoutCharacter } from "./walk.ts";

/** Most numbers in the table: each state's transitions and instructions. */
const maximumTable = 1 << 16;

const unknown = -1;
const accepting = -2;
const dead = -3;

/** Matches in one pass with lazy transitions; a {@link Walk} takes over when its table is full. */
export class Automaton {
  readonly #program: readonly Instruction[];
  readonly #classes: CharacterClasses;
  readonly #isAnchored: boolean;
  readonly #states: State[] = [];
  readonly #stateNumbers = new Map<string, number>();
  #transitions: Int32Array;
  readonly #acceptsAtEnd: (boolean | undefined)[] = [];
  #tableSize = 0;
  #walk: Walk | undefined;

  constructor(node: PatternNode) {
    this.#program = programOf(node);
    this.#classes = new CharacterClasses(this.#program);
    this.#isAnchored = startsAtTextStart(node);
    this.#transitions = new Int32Array(this.#classes.count * 16).fill(unknown);
    this.#numberOf({ instructions: [firstInstruction], before: textEdge });
  }

  get size(): number {
    return this.#program.length;
  }

  test(text: string): boolean {
    const classes = this.#classes;
    const { count, ofAscii } = classes;
    let state = 0;
    for (let index = 0; index < text.length; index += 1) {
      let code = text.charCodeAt(index);
      const start = index;
      if (code >= 0xd8_00 && code <= 0xdb_ff) {
        code = text.codePointAt(index) ?? code;
        if (code > 0xff_ff) index += 1;
      }
      const characterClass = code < 128 ? (ofAscii[code] ?? 0) : classes.of(code);
      let next = this.#transitions[state * count + characterClass] ?? unknown;
      if (next === unknown) next = this.#step(state, characterClass);
      if (next === accepting) return true;
      if (next === dead) return false;
      if (next === unknown) return this.#walkOn(state, text, start);
      state = next;
    }
    this.#acceptsAtEnd[state] ??= this.#closure(this.#stateAt(state), textEdge).hasMatch;
    return this.#acceptsAtEnd[state] ?? false;
  }

  #walkOn(state: number, text: string, start: number): boolean {
    this.#walk ??= new Walk(this.#program, this.#classes, this.#isAnchored);
    return this.#walk.test(this.#stateAt(state), text, start);
  }

  /** The state that a character leads to; `unknown` when the table is full. */
  #step(state: number, characterClass: number): number {
    const neighbour = this.#classes.neighbours[characterClass] ?? textEdge;
    const { hasMatch, sets } = this.#closure(this.#stateAt(state), neighbour);
    let next = accepting;
    if (!hasMatch) {
      const first = this.#classes.bounds[characterClass] ?? 0;
      const reached = new Set<number>(this.#isAnchored ? [] : [firstInstruction]);
      for (const instruction of sets) {
        if (contains(instruction.set, first)) reached.add(instruction.next);
      }
      const instructions = [...reached].toSorted((left, right) => left - right);
      next = instructions.length === 0 ? dead : this.#numberOf({ instructions, before: neighbour });
    }
    this.#transitions[state * this.#classes.count + characterClass] = next;
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
    const { count } = this.#classes;
    if (this.#tableSize >= maximumTable) return unknown;
    this.#tableSize += count + state.instructions.length;
    const number = this.#states.length;
    this.#states.push(state);
    this.#stateNumbers.set(key, number);
    const needed = this.#states.length * count;
    if (needed > this.#transitions.length) {
      const larger = new Int32Array(needed * 2).fill(unknown);
      larger.set(this.#transitions);
      this.#transitions = larger;
    }
    return number;
  }

  /** The instructions that the state reaches without a character, before the neighbour `after`. */
  #closure(
    { instructions, before }: State,
    after: Neighbour,
  ): { hasMatch: boolean; sets: Extract<Instruction, { kind: "set" }>[] } {
    const seen = new Set<number>(instructions);
    const waiting = [...instructions];
    const sets: Extract<Instruction, { kind: "set" }>[] = [];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const instruction = this.#program[next];
      if (instruction?.kind === "match") return { hasMatch: true, sets };
      if (instruction?.kind === "set") sets.push(instruction);
      for (const target of withoutCharacter(instruction, before, after)) {
        if (seen.has(target)) continue;
        seen.add(target);
        waiting.push(target);
      }
    }
    return { hasMatch: false, sets };
  }
}
