import type { MergeableUnit, Writer } from "./database.ts";
import { joinedScope, shareOf, type Scope } from "../kit/scope.ts";
import { ConnectionLostError, OverloadedError } from "../kit/storage-errors.ts";
import type { Tuning } from "../kit/tuning.ts";
import { BatchQueue, type QueuedItem } from "./batch-queue.ts";

export interface MergedWritesOptions {
  /** Runs a unit in its own transaction, and again after a serialization failure. */
  readonly write: WriteIn;
  /** Runs a unit of one statement, which may need no explicit transaction. */
  readonly writeOnce?: WriteIn;
  /** Items without an answer; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
  readonly tuning: Tuning;
}

type WriteIn = <T>(scope: Scope, work: (writer: Writer) => Promise<T>) => Promise<T>;

/** One works while the other one is made durable. */
const transactionsAtOnce = 2;
const itemsAtOnce = 128;
const weightAtOnce = 1024 * 1024;
/** A commit writes the last page of each index, for few rows as for many. */
const untilQuietMs = 8;

/**
 * Writes units of one kind in few transactions and statements: PostgreSQL needs five times as long
 * for a single row as for one of sixteen, SQLite twice as long. An item that the batch leaves out
 * (its value exists, for example), or a whole batch that fails, is written again in transactions of
 * one item, which give the reason.
 */
export class MergedWrites<Item> {
  readonly #batches: BatchQueue<Scoped<Item>, void>;
  #pending = 0;
  #onIdle: (() => void) | undefined;

  constructor(
    private readonly unit: MergeableUnit<Item>,
    private readonly options: MergedWritesOptions,
  ) {
    this.#batches = new BatchQueue<Scoped<Item>, void>({
      work: (batch) => this.#writeBatch(batch),
      shareOf: ({ scope }) => shareOf(scope),
      batchesAtOnce: transactionsAtOnce,
      itemsAtOnce,
      untilQuietMs,
      weight: { of: ({ item }) => unit.weight(item), atOnce: weightAtOnce },
      queueLimit: options.queueLimit,
    });
  }

  async write(item: Item, scope: Scope): Promise<void> {
    if (this.#pending >= this.options.queueLimit) {
      throw new OverloadedError(`Cannot take another write: ${this.#pending} are pending`);
    }
    this.#pending += 1;
    try {
      const { mergesWrites } = this.options.tuning;
      await (mergesWrites && this.unit.isMergeable(item)
        ? this.#batches.add({ item, scope })
        : this.#writeOne({ item, scope }));
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) this.#onIdle?.();
    }
  }

  /** Resolves when every item has its answer. */
  async idle(): Promise<void> {
    if (this.#pending === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async #writeBatch(batch: readonly QueuedItem<Scoped<Item>, void>[]): Promise<void> {
    const items = batch.map(({ item: { item } }) => item);
    let done: readonly boolean[];
    try {
      const { write, writeOnce = write } = this.options;
      const run = this.unit.isOneStatement(items) ? writeOnce : write;
      const scope = joinedScope(batch.map(({ item }) => item.scope));
      done = await run(scope, (writer) => this.unit.all(writer, items));
    } catch (error) {
      // The commit may be durable although the connection was lost: no retry.
      if (error instanceof ConnectionLostError) {
        for (const { reject } of batch) reject(error);
        return;
      }
      done = [];
    }
    batch.forEach(({ item, resolve, reject }, at) => {
      if (done[at] === true) resolve();
      else this.#writeOne(item).then(resolve, reject);
    });
  }

  #writeOne({ item, scope }: Scoped<Item>): Promise<void> {
    return this.options.write(scope, (writer) => this.unit.one(writer, item));
  }
}

/** An item, with the scope of its request: a batch has items of many. */
interface Scoped<Item> {
  readonly item: Item;
  readonly scope: Scope;
}
