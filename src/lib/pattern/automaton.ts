import { contains, type CharacterSet } from "./character-set.ts";
import {
  CharacterClasses,
  firstInstruction,
  holds,
  programOf,
  startsAtTextStart,
  textEdge,
  type Instruction,
  type State,
} from "./program.ts";
import type { Neighbour, PatternNode } from "./syntax.ts";

/** Most numbers in the table: each state's transitions and instructions. */
const maximumTable = 1 << 16;

/** Steps of one part of a test. */
const stepsAtOnce = 250_000;

const unknown = -1;
const accepting = -2;
const dead = -3;

/** Results of a {@link Walk}. */
const matched = -1;
const noRow = -1;

/** Where the known transitions of a text end. */
interface Place {
  readonly state: number;
  readonly start: number;
}

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
    const found = this.#look(text);
    if (typeof found === "boolean") return found;
    this.#walk ??= this.#newWalk();
    return finished(this.#walk.testing(this.#stateAt(found.state), text, found.start));
  }

  /** {@link test} in parts; only a {@link Walk} takes long. */
  *testing(text: string): Generator<undefined, boolean, undefined> {
    const found = this.#look(text);
    if (typeof found === "boolean") return found;
    // Between two parts the kept walk may test another text.
    return yield* this.#newWalk().testing(this.#stateAt(found.state), text, found.start);
  }

  /** Follows the known transitions; returns where they end when the table is full. */
  #look(text: string): boolean | Place {
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
      if (next === unknown) return { state, start };
      state = next;
    }
    this.#acceptsAtEnd[state] ??= this.#closure(this.#stateAt(state), textEdge).hasMatch;
    return this.#acceptsAtEnd[state] ?? false;
  }

  #newWalk(): Walk {
    return new Walk(this.#program, this.#classes, this.#isAnchored);
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

/** Runs a program without keeping transitions. Plain numbers keep the inner loop fast. */
class Walk {
  readonly #program: readonly Instruction[];
  readonly #classes: CharacterClasses;
  readonly #isAnchored: boolean;
  /** The row of `#isTaken` for the set of each instruction that takes a character. */
  readonly #rows: Int32Array;
  readonly #nexts: Uint16Array;
  /** True if a set contains a class, by row and character class. */
  readonly #isTaken: Uint8Array;
  /** The instructions that the automaton may be at, before and after the character. */
  #current: Uint16Array;
  #following: Uint16Array;
  readonly #waiting: Uint16Array;
  /** The round in which an instruction was last reached, before and after the character. */
  readonly #metBefore: Uint32Array;
  readonly #metAfter: Uint32Array;

  constructor(program: readonly Instruction[], classes: CharacterClasses, isAnchored: boolean) {
    const { length } = program;
    this.#program = program;
    this.#classes = classes;
    this.#isAnchored = isAnchored;
    this.#rows = new Int32Array(length).fill(noRow);
    this.#nexts = new Uint16Array(length);
    const rows = new Map<CharacterSet, number>();
    for (const [index, instruction] of program.entries()) {
      if (instruction.kind !== "set") continue;
      const row = rows.get(instruction.set) ?? rows.size;
      rows.set(instruction.set, row);
      this.#rows[index] = row;
      this.#nexts[index] = instruction.next;
    }
    this.#isTaken = new Uint8Array(rows.size * classes.count);
    for (const [set, row] of rows) {
      for (const [at, first] of classes.bounds.entries()) {
        this.#isTaken[row * classes.count + at] = Number(contains(set, first));
      }
    }
    this.#current = new Uint16Array(length);
    this.#following = new Uint16Array(length);
    this.#waiting = new Uint16Array(length);
    this.#metBefore = new Uint32Array(length);
    this.#metAfter = new Uint32Array(length);
  }

  /** True if a match follows from a state before the character at `start`, in parts. */
  *testing(
    { instructions, before }: State,
    text: string,
    start: number,
  ): Generator<undefined, boolean, undefined> {
    const charactersAtOnce = Math.ceil(stepsAtOnce / this.#program.length);
    this.#metBefore.fill(0);
    this.#metAfter.fill(0);
    this.#current.set(instructions);
    let count = instructions.length;
    let neighbour = before;
    let round = 0;
    for (let index = start; index < text.length; index += 1) {
      const code = text.codePointAt(index) ?? 0;
      if (code > 0xff_ff) index += 1;
      const characterClass = this.#classes.of(code);
      const after = this.#classes.neighbours[characterClass] ?? textEdge;
      round += 1;
      if (round % charactersAtOnce === 0) yield;
      count = this.#step(count, round, characterClass, neighbour, after);
      if (count === matched) return true;
      if (count === 0) return false;
      [this.#current, this.#following] = [this.#following, this.#current];
      neighbour = after;
    }
    return this.#step(count, round + 1, 0, neighbour, textEdge) === matched;
  }

  /** The number of instructions that a character of the class leads to, or {@link matched}. */
  #step(
    count: number,
    round: number,
    characterClass: number,
    before: Neighbour,
    after: Neighbour,
  ): number {
    const waiting = this.#waiting;
    const metBefore = this.#metBefore;
    const metAfter = this.#metAfter;
    const following = this.#following;
    const classCount = this.#classes.count;
    let left = 0;
    for (; left < count; left += 1) {
      const place = this.#current[left] ?? 0;
      waiting[left] = place;
      metBefore[place] = round;
    }
    let reached = 0;
    if (!this.#isAnchored) {
      following[0] = firstInstruction;
      metAfter[firstInstruction] = round;
      reached = 1;
    }
    while (left > 0) {
      left -= 1;
      const place = waiting[left] ?? 0;
      const row = this.#rows[place] ?? noRow;
      if (row !== noRow) {
        const next = this.#nexts[place] ?? 0;
        if (this.#isTaken[row * classCount + characterClass] !== 1 || metAfter[next] === round) {
          continue;
        }
        metAfter[next] = round;
        following[reached] = next;
        reached += 1;
        continue;
      }
      const instruction = this.#program[place];
      if (instruction?.kind === "match") return matched;
      for (const next of withoutCharacter(instruction, before, after)) {
        if (metBefore[next] === round) continue;
        metBefore[next] = round;
        waiting[left] = next;
        left += 1;
      }
    }
    return reached;
  }
}

function finished(parts: Generator<undefined, boolean, undefined>): boolean {
  let part = parts.next();
  while (part.done !== true) part = parts.next();
  return part.value;
}

/** The targets of an instruction that takes no character. */
function withoutCharacter(
  instruction: Instruction | undefined,
  before: Neighbour,
  after: Neighbour,
): readonly number[] {
  if (instruction?.kind === "split") return instruction.targets;
  if (instruction?.kind !== "assertion") return nowhere;
  return holds(instruction.at, before, after) ? [instruction.next] : nowhere;
}

const nowhere: readonly number[] = [];
