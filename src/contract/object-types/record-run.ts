import { pointer, type Fault } from "../problems.ts";

/** Where a value stands, as a chain, so that nothing is built for a value without a fault. */
export interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number;
}

/** A value that must be the id of a stored record; checked against the database by the server. */
export interface ReferenceUse {
  /** Exact stored slug of the Object Type that the id belongs to. */
  readonly targetObjectType: string;
  readonly id: string;
  readonly pointer: string;
}

/** More faults than anybody reads; the rest of the record is then left unchecked. */
const maximumFaults = 50;

/** One check of one record: what was found on the way. */
export class RecordRun {
  readonly faults: Fault[] = [];
  readonly references: ReferenceUse[] = [];
  readonly isCreation: boolean;
  readonly #base: readonly (string | number)[];

  constructor(isCreation: boolean, base: readonly (string | number)[]) {
    this.isCreation = isCreation;
    this.#base = base;
  }

  get isFull(): boolean {
    return this.faults.length >= maximumFaults;
  }

  /** Notes what is wrong at a place. */
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

/** Gives the value as it is stored, or undefined when it noted a fault. */
export type Check = (value: unknown, place: Place, run: RecordRun) => unknown;
