import { pointer, Refusal } from "#contract/problems.ts";
import type { Batch, BatchAnswer, BatchResult } from "#contract/resources/batch.ts";
import type { Promisable } from "../../../kit/promisable.ts";

const maximumFaults = 50;

/** The items of a request that writes records: those of a batch, or the one of a single write. */
export interface WriteRequest<Item> extends Batch<Item> {
  /** The request is the item: a refusal of the item is the answer. */
  readonly isSingle?: boolean;
}

export function singleWrite<Item>(item: Item): WriteRequest<Item> {
  return { items: [item], isAtomic: true, isSingle: true, namesRecords: true, placeOf: () => [] };
}

interface Success {
  readonly id: string;
  readonly status: number;
  readonly version: number;
}

/** The result or refusal of each item of a request, set in any order. */
export class Outcomes {
  readonly #request: WriteRequest<{ readonly id?: unknown }>;
  readonly #status: number;
  readonly #refusals: Map<number, Refusal>;
  readonly #successes = new Map<number, Success>();

  /** `status` is that of an item that was written. */
  constructor(
    request: WriteRequest<{ readonly id?: unknown }>,
    status: number,
    refusals?: ReadonlyMap<number, Refusal>,
  ) {
    this.#request = request;
    this.#status = status;
    this.#refusals = new Map(refusals);
  }

  /** The same refusals without a success: a unit may run again from its start. */
  copy(): Outcomes {
    return new Outcomes(this.#request, this.#status, this.#refusals);
  }

  succeed(index: number, { id, version }: { readonly id: string; readonly version: number }): void {
    this.#successes.set(index, { id, status: this.#status, version });
  }

  refuse(index: number, refusal: Refusal): void {
    this.#refusals.set(index, refusal);
  }

  get hasRefusals(): boolean {
    return this.#refusals.size > 0;
  }

  /** Runs one item's check; a refusal that it throws is the item's outcome. */
  async attempt(index: number, check: () => Promisable<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(index, error);
    }
  }

  /** Refuses a single or atomic request with a refused item; in a unit this rolls it back. */
  requireNoneFailed(): void {
    const { isAtomic, isSingle, placeOf } = this.#request;
    if (!isAtomic || this.#refusals.size === 0) return;
    const ordered = [...this.#refusals].toSorted(([one], [other]) => one - other);
    const [first] = ordered;
    if (first === undefined) return;
    const [index, refusal] = first;
    if (isSingle === true) throw refusal;
    const errors = ordered.flatMap(([at, { message, options }]) =>
      options.errors === undefined || options.errors.length === 0
        ? [{ pointer: pointer(...placeOf(at)), detail: message }]
        : options.errors,
    );
    throw new Refusal(refusal.code, {
      detail: `Nothing was written because of item ${index}: ${refusal.message}`,
      errors: errors.slice(0, maximumFaults),
      ...(refusal.options.members === undefined ? {} : { members: refusal.options.members }),
    });
  }

  /** One result for each item, in their order. */
  answer(): BatchAnswer {
    const { items, namesRecords } = this.#request;
    const results = items.map((item, index): BatchResult => {
      const success = this.#successes.get(index);
      if (success !== undefined) return { index, ...success };
      const refusal = this.#refusals.get(index) ?? new Refusal("internal-error");
      // An item to create has no id yet, whatever its data contains.
      const id = typeof item.id === "string" && namesRecords ? { id: item.id } : {};
      return { index, ...id, status: refusal.status, error: refusal.toItemProblem() };
    });
    const failed = results.filter(({ error }) => error !== undefined).length;
    return { results, succeeded: results.length - failed, failed };
  }
}
