import { contains, type CharacterSet } from "./character-set.ts";
import { holds, textEdge, type CharacterClasses } from "./classes.ts";
import { firstInstruction, type Instruction, type State } from "./program.ts";
import type { Neighbour } from "./syntax.ts";

const matched = -1;
const noRow = -1;

/** Runs a program without keeping transitions. Plain numbers keep the inner loop fast. */
export class Walk {
  readonly #program: readonly Instruction[];
  readonly #classes: CharacterClasses;
  readonly #isAnchored: boolean;
  /** The row of `#isTaken` for the set of each instruction that takes a character. */
  readonly #rows: Int32Array;
  readonly #nexts: Uint16Array;
  /** Whether a set contains a class, by row and character class. */
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

  /** Whether a match follows from a state before the character at `start`. */
  test({ instructions, before }: State, text: string, start: number): boolean {
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

/** The targets of an instruction that takes no character. */
export function withoutCharacter(
  instruction: Instruction | undefined,
  before: Neighbour,
  after: Neighbour,
): readonly number[] {
  if (instruction?.kind === "split") return instruction.targets;
  if (instruction?.kind !== "assertion") return nowhere;
  return holds(instruction.at, before, after) ? [instruction.next] : nowhere;
}

const nowhere: readonly number[] = [];
