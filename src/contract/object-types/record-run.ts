import type { Pattern } from "#lib/pattern.ts";
import { atOnce, type Stepwise } from "#lib/time/stepwise.ts";
import { pointer, type Fault } from "../problems.ts";

/** The place of a value, as a chain: a pointer is built only for a fault. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** A value that must be the id of a stored record; the server checks it against the database. */
export interface ReferenceUse {
  /** Exact stored slug of the target Object Type. */
  readonly targetObjectType: string;
  readonly id: string;
  readonly pointer: string;
}

/** A check stops after this many faults. */
const maximumFaults = 50;

/** Pattern size times text length: about 40 ms at worst. */
export const maximumPatternSteps = 10_000_000;

/** A longer test is left to the caller, if its budget has a place for it. */
const longSteps = 250_000;

/** The parts of a test that do not make it long: about a millisecond. */
const partsAtOnce = 4;

/** The steps that the pattern checks of one request may still take, all its records together. */
export interface PatternBudget {
  left: number;
  /**
   * Long tests of texts and areas, which the caller runs after the check, in parts; they add their
   * faults. They run at once without this list.
   */
  readonly later?: Stepwise<void>[];
}

/** One check of one record, with its faults and references. */
export class RecordRun {
  readonly faults: Fault[] = [];
  readonly references: ReferenceUse[] = [];
  readonly isCreation: boolean;
  readonly #base: readonly (string | number)[];

  constructor(
    isCreation: boolean,
    base: readonly (string | number)[],
    private readonly patterns: PatternBudget = { left: maximumPatternSteps },
  ) {
    this.isCreation = isCreation;
    this.#base = base;
  }

  /** True if these steps are within the budget, which they are then taken from. */
  takesSteps(steps: number): boolean {
    if (steps > this.patterns.left) return false;
    this.patterns.left -= steps;
    return true;
  }

  /** True if the text matches, as far as that is known now: see {@link PatternBudget.later}. */
  matches(pattern: Pattern, text: string, fail: () => void): boolean {
    const { later } = this.patterns;
    if (later === undefined || pattern.size * text.length < longSteps) return pattern.test(text);
    later.push(matching(pattern, text, fail));
    return true;
  }

  /** Runs a test now, or leaves the rest of a long one: see {@link PatternBudget.later}. */
  test(long: Stepwise<void>): void {
    const { later } = this.patterns;
    if (later === undefined) return atOnce(long);
    for (let part = 0; part < partsAtOnce; part += 1) {
      if (long.next().done === true) return;
    }
    later.push(long);
  }

  get isFull(): boolean {
    return this.faults.length >= maximumFaults;
  }

  /** Adds a fault; returns undefined, so that a check can return the call. */
  fault(place: Place | undefined, detail: string): undefined {
    if (!this.isFull) this.faults.push({ pointer: this.pointerOf(place), detail });
    return undefined;
  }

  pointerOf(place: Place | undefined): string {
    const parts: (string | number)[] = [];
    for (let at = place; at !== undefined; at = at.parent) parts.push(at.key);
    return pointer(...this.#base, ...parts.toReversed());
  }
}

function* matching(pattern: Pattern, text: string, fail: () => void): Stepwise<void> {
  if (!(yield* pattern.testing(text))) fail();
}

/** Returns the value as it is stored, or undefined after a fault. */
export type Check = (value: unknown, place: Place, run: RecordRun) => unknown;
