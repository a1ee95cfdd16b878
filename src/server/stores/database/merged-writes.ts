import type { MergeableUnit, Writer } from "../database.ts";
import { ConnectionLostError, OverloadedError } from "./errors.ts";

export interface MergedWritesOptions {
  /** Runs a unit in a transaction of its own, again when it met another one. */
  readonly write: <T>(work: (writer: Writer) => Promise<T>) => Promise<T>;
  /** Items that may be under way; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
}

interface Waiting<Item> {
  readonly item: Item;
  readonly sinceMs: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** While one transaction is being made durable, another one works. */
const transactionsAtOnce = 2;
const itemsAtOnce = 128;
/** What the items of one transaction may weigh together; a heavier one goes alone. */
const weightAtOnce = 1024 * 1024;
/** What an item waits before it is refused. */
const waitLimitMs = 10_000;

/**
 * Units of one kind in few transactions and statements: PostgreSQL spends five times as long on a
 * row by itself as on one of sixteen. What comes while transactions run goes together into the next
 * one. Since such units read nothing and no two of them write the same, they are as if one came after
 * the other. Whoever is not done in the common statement, for its value is taken, say, has a
 * transaction of its own, which tells why; and so has everybody when the common one fails.
 */
export class MergedWrites<Item> {
  readonly #unit: MergeableUnit<Item>;
  readonly #options: MergedWritesOptions;
  readonly #waiting: Waiting<Item>[] = [];
  #isScheduled = false;
  #transactions = 0;
  /** Items that have no answer yet. */
  #underWay = 0;
  #onIdle: (() => void) | undefined;

  constructor(unit: MergeableUnit<Item>, options: MergedWritesOptions) {
    this.#unit = unit;
    this.#options = options;
  }

  async write(item: Item): Promise<void> {
    if (this.#underWay >= this.#options.queueLimit) {
      throw new OverloadedError(`Cannot take another write: ${this.#underWay} are under way`);
    }
    this.#underWay += 1;
    try {
      if (!this.#unit.isMergeable(item)) return await this.#writeAlone(item);
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push({ item, sinceMs: performance.now(), resolve, reject });
        this.#schedule();
      });
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

  #schedule(): void {
    if (this.#isScheduled || this.#transactions >= transactionsAtOnce) return;
    if (this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // Not a microtask: the requests that one turn of the loop reads shall all be in it.
    setImmediate(() => {
      this.#isScheduled = false;
      const taken = this.#take();
      if (taken.length > 0) {
        this.#transactions += 1;
        void this.#writeTogether(taken).finally(() => {
          this.#transactions -= 1;
          this.#schedule();
        });
      }
      this.#schedule();
    });
  }

  #take(): Waiting<Item>[] {
    const now = performance.now();
    const taken: Waiting<Item>[] = [];
    let weight = 0;
    let looked = 0;
    for (const waiting of this.#waiting) {
      weight += this.#unit.weight(waiting.item);
      if (taken.length === itemsAtOnce || (taken.length > 0 && weight > weightAtOnce)) break;
      looked += 1;
      if (now - waiting.sinceMs <= waitLimitMs) taken.push(waiting);
      else waiting.reject(new OverloadedError(`Cannot write this within ${waitLimitMs} ms`));
    }
    this.#waiting.splice(0, looked);
    return taken;
  }

  async #writeTogether(taken: readonly Waiting<Item>[]): Promise<void> {
    const items = taken.map(({ item }) => item);
    let done: readonly boolean[];
    try {
      done = await this.#options.write((writer) => this.#unit.all(writer, items));
    } catch (error) {
      // What is lost with its connection may be durable all the same: nobody may do it again.
      if (error instanceof ConnectionLostError) {
        for (const { reject } of taken) reject(error);
        return;
      }
      done = [];
    }
    taken.forEach(({ item, resolve, reject }, at) => {
      if (done[at] === true) resolve();
      else void this.#writeAlone(item).then(resolve, reject);
    });
  }

  #writeAlone(item: Item): Promise<void> {
    return this.#options.write((writer) => this.#unit.one(writer, item));
  }
}
