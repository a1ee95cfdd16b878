import { pointer, Refusal } from "#contract/problems.ts";
import type { Batch, BatchAnswer, BatchResult } from "#contract/resources/batch.ts";

const maximumFaults = 50;

interface Success {
  readonly id: string;
  readonly status: number;
  readonly version: number;
}

/** What came of each item of a batch, gathered in any order. */
export class BatchOutcomes {
  readonly #batch: Batch<{ readonly id?: unknown }>;
  readonly #refusals: Map<number, Refusal>;
  readonly #successes = new Map<number, Success>();

  constructor(batch: Batch<{ readonly id?: unknown }>, refusals?: ReadonlyMap<number, Refusal>) {
    this.#batch = batch;
    this.#refusals = new Map(refusals);
  }

  /** The same refusals, with no success yet. */
  copy(): BatchOutcomes {
    return new BatchOutcomes(this.#batch, this.#refusals);
  }

  succeed(index: number, status: number, record: { id: string; version: number }): void {
    this.#successes.set(index, { id: record.id, status, version: record.version });
  }

  refuse(index: number, refusal: Refusal): void {
    this.#refusals.set(index, refusal);
  }

  /** Whether an item was refused; under another definition it might not have been. */
  get hasRefusals(): boolean {
    return this.#refusals.size > 0;
  }

  /** Runs one item's check; what it refuses is that item's outcome. */
  attempt(index: number, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(index, error);
    }
  }

  /** Refuses an atomic batch of which an item has failed; inside a unit this takes it back. */
  requireNoneFailed(): void {
    if (!this.#batch.isAtomic || this.#refusals.size === 0) return;
    const ordered = [...this.#refusals].toSorted(([one], [other]) => one - other);
    const [first] = ordered;
    if (first === undefined) return;
    const [index, refusal] = first;
    const errors = ordered.flatMap(([at, { message, options }]) =>
      options.errors === undefined || options.errors.length === 0
        ? [{ pointer: pointer(...this.#batch.placeOf(at)), detail: message }]
        : options.errors,
    );
    throw new Refusal(refusal.code, {
      detail: `Nothing was written, since item ${index} can't be: ${refusal.message}`,
      errors: errors.slice(0, maximumFaults),
      ...(refusal.options.members === undefined ? {} : { members: refusal.options.members }),
    });
  }

  /** One result an item, in their order. */
  answer(): BatchAnswer {
    const results = this.#batch.items.map((item, index): BatchResult => {
      const success = this.#successes.get(index);
      if (success !== undefined) return { index, ...success };
      const refusal = this.#refusals.get(index) ?? new Refusal("internal-error");
      const id = typeof item.id === "string" && this.#hasIds ? { id: item.id } : {};
      return { index, ...id, status: refusal.status, error: refusal.toItemProblem() };
    });
    const failed = results.filter(({ error }) => error !== undefined).length;
    return { results, succeeded: results.length - failed, failed };
  }

  /** An item to create has no id yet, whatever its data says. */
  get #hasIds(): boolean {
    return this.#batch.namesRecords;
  }
}
