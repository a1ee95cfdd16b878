import type { MergeableUnit, Writer } from "./database.ts";
import { ConnectionLostError, OverloadedError } from "./errors.ts";
import { BatchQueue, type QueuedItem } from "./batch-queue.ts";

export interface MergedWritesOptions {
  /** Runs a unit in a transaction of its own, again when it met another one. */
  readonly write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
  /** The same for a unit of one statement, where that costs less: no beginning and end around it. */
  readonly writeOnce?: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
  /** Items that may be under way; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
}

/** While one transaction is being made durable, another one works. */
const transactionsAtOnce = 2;
const itemsAtOnce = 128;
const weightAtOnce = 1024 * 1024;
/** Each commit costs about as much for few rows as for many: a sync, and the last page of every index. */
const untilQuietMs = 8;

/**
 * Units of one kind in few transactions and statements: PostgreSQL spends five times as long on a
 * row by itself as on one of sixteen, and SQLite twice as long on all that belongs to it. Since such
 * units read nothing and no two of them write the same, they are as if one came after the other.
 * Whoever is not done in the common statement, for its value is taken, say, has a transaction of its
 * own, which tells why; and so has everybody when the common one fails.
 */
export class MergedWrites<Item> {
  readonly #unit: MergeableUnit<Item>;
  readonly #options: MergedWritesOptions;
  readonly #together: BatchQueue<Item, void>;
  /** Items that have no answer yet. */
  #underWay = 0;
  #onIdle: (() => void) | undefined;

  constructor(unit: MergeableUnit<Item>, options: MergedWritesOptions) {
    this.#unit = unit;
    this.#options = options;
    this.#together = new BatchQueue<Item, void>({
      work: (batch) => this.#writeTogether(batch),
      batchesAtOnce: transactionsAtOnce,
      itemsAtOnce,
      untilQuietMs,
      weight: { of: (item) => unit.weight(item), atOnce: weightAtOnce },
      queueLimit: options.queueLimit,
    });
  }

  async write(item: Item): Promise<void> {
    if (this.#underWay >= this.#options.queueLimit) {
      throw new OverloadedError(`Cannot take another write: ${this.#underWay} are under way`);
    }
    this.#underWay += 1;
    try {
      await (this.#unit.isMergeable(item) ? this.#together.add(item) : this.#writeAlone(item));
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#onIdle?.();
    }
  }

  /** Resolves when everything that was asked for has its answer. */
  async idle(): Promise<void> {
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async #writeTogether(batch: readonly QueuedItem<Item, void>[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    let done: readonly boolean[];
    try {
      const { write, writeOnce = write } = this.#options;
      const run = this.#unit.isOneStatement(items) ? writeOnce : write;
      done = await run((writer) => this.#unit.all(writer, items));
    } catch (error) {
      // What is lost with its connection may be durable all the same: nobody may do it again.
      if (error instanceof ConnectionLostError) {
        for (const { reject } of batch) reject(error);
        return;
      }
      done = [];
    }
    batch.forEach(({ item, resolve, reject }, at) => {
      if (done[at] === true) resolve();
      else void this.#writeAlone(item).then(resolve, reject);
    });
  }

  #writeAlone(item: Item): Promise<void> {
    return this.#options.write((writer) => this.#unit.one(writer, item));
  }
}
