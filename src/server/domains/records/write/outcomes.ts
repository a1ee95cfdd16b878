import { pointer, Refusal } from "#contract/problems.ts";
import type { Batch, BatchAnswer, BatchResult } from "#contract/resources/batch.ts";

const maximumFaults = 50;

/** The items of a request that writes records: those of a batch, or the one of a single write. */
export interface WriteRequest<Item> extends Batch<Item> {
  /** The request is the item: a refusal of the item is the answer. */
  readonly isSingle?: boolean;
  /** The piece of a batch that this is; all of it without. */
  readonly piece?: Piece;
}

export interface Piece {
  /** The number of items in the pieces before. */
  readonly first: number;
  /** Ids that the pieces before have changed. */
  readonly earlier: ReadonlySet<string>;
  /** Steps that the patterns of this piece, and of those after it, may take. */
  readonly steps: number;
  /** The check of this piece leaves so many steps to those after it. */
  stepsLeft: number;
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
  readonly #request: WriteRequest<object>;
  readonly #statusOf: (index: number) => number;
  /** Outcomes in the order of the items. */
  readonly #outcomes: (Success | Refusal | undefined)[];
  #hasRefusals = false;

  /** `status` is that of an item that was written, or of the item at an index. */
  constructor(
    request: WriteRequest<object>,
    status: number | ((index: number) => number),
    before?: Outcomes,
  ) {
    this.#request = request;
    this.#statusOf = typeof status === "number" ? () => status : status;
    this.#outcomes = before === undefined ? [] : before.#outcomes.slice();
    this.#hasRefusals = before !== undefined && before.hasRefusals;
  }

  /** The outcomes so far, to be completed by a unit, which may run again from its start. */
  copy(): Outcomes {
    return new Outcomes(this.#request, this.#statusOf, this);
  }

  succeed(index: number, { id, version }: { readonly id: string; readonly version: number }): void {
    this.#outcomes[index] = { id, status: this.#statusOf(index), version };
  }

  refuse(index: number, refusal: Refusal): void {
    this.#outcomes[index] = refusal;
    this.#hasRefusals = true;
  }

  refusalOf(index: number): Refusal | undefined {
    const outcome = this.#outcomes[index];
    return outcome instanceof Refusal ? outcome : undefined;
  }

  get hasRefusals(): boolean {
    return this.#hasRefusals;
  }

  /** Runs one item's check; a refusal that it throws is the item's outcome. */
  attempt(index: number, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(index, error);
    }
  }

  /** Refuses a single or atomic request with a refused item; in a unit this rolls it back. */
  requireNoneFailed(): void {
    const { isAtomic, isSingle, placeOf } = this.#request;
    if (!isAtomic || !this.#hasRefusals) return;
    const refusals = [...this.#outcomes.entries()].flatMap(([index, refusal]) =>
      refusal instanceof Refusal ? [{ index, refusal }] : [],
    );
    const [first] = refusals;
    if (first === undefined) return;
    const { index, refusal } = first;
    if (isSingle === true) throw refusal;
    const errors = refusals.flatMap(({ index: at, refusal: { message, options } }) =>
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
    const { items, namesRecords, piece } = this.#request;
    const results = items.map((item, at): BatchResult => {
      const outcome = this.#outcomes[at] ?? new Refusal("internal-error");
      const index = at + (piece?.first ?? 0);
      if (!(outcome instanceof Refusal)) return { index, ...outcome };
      // An item to create has no id yet, whatever its data contains.
      const isNamed = namesRecords && "id" in item && typeof item.id === "string";
      const id = isNamed ? { id: String(item.id) } : {};
      return { index, ...id, status: outcome.status, error: outcome.toItemProblem() };
    });
    return answerOf(results);
  }
}

export function answerOf(results: readonly BatchResult[]): BatchAnswer {
  const failed = results.filter(({ error }) => error !== undefined).length;
  return { results: [...results], succeeded: results.length - failed, failed };
}
