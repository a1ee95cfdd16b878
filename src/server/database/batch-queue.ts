import { OverloadedError } from "../kit/storage-errors.ts";
import { FairQueue } from "../kit/turns/fair-queue.ts";

export interface BatchQueueOptions<Item, Result> {
  /** Does a batch of one group, that of `first`: it answers each item, and does not throw. */
  readonly work: (batch: readonly QueuedItem<Item, Result>[], first: Item) => Promise<void>;
  /** The group of an item, which has its own queue and batches; one group without. */
  readonly groupOf?: (item: Item) => string;
  /** The share of an item, such as its workspace: shares have turns in the batches of a group. */
  readonly shareOf?: (item: Item) => string;
  /** Batches of one group that run at the same time. */
  readonly batchesAtOnce: number;
  readonly itemsAtOnce: number;
  /**
   * While each tick brings more items, they are waited for, at most so long. The thread is busy
   * with them anyway, and each item costs less in a larger batch. A single item waits for no other.
   */
  readonly untilQuietMs?: number;
  /** The weight of an item, and of a batch at most; a heavier item has its own batch. */
  readonly weight?: { readonly of: (item: Item) => number; readonly atOnce: number };
  /** Items of one group that may wait; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
}

export interface QueuedItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

interface Group<Item, Result> {
  readonly waiting: FairQueue<QueuedItem<Item, Result> & { readonly sinceMs: number }>;
  isScheduled: boolean;
  running: number;
}

const waitLimitMs = 10_000;

/** Does items in batches: those that come while one batch runs are the next batch. */
export class BatchQueue<Item, Result> {
  readonly #groups = new Map<string, Group<Item, Result>>();

  constructor(private readonly options: BatchQueueOptions<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const name = this.options.groupOf?.(item) ?? "";
      let group = this.#groups.get(name);
      if (group === undefined) {
        group = { waiting: new FairQueue(), isScheduled: false, running: 0 };
        this.#groups.set(name, group);
      }
      const waiting = group.waiting.size;
      if (waiting >= this.options.queueLimit) {
        return reject(new OverloadedError(`Cannot wait: ${waiting} are waiting already`));
      }
      const queued = { item, sinceMs: performance.now(), resolve, reject };
      group.waiting.add(queued, this.options.shareOf?.(item));
      this.#schedule(name, group);
    });
  }

  #schedule(name: string, group: Group<Item, Result>): void {
    const { batchesAtOnce, work } = this.options;
    if (group.isScheduled || group.running >= batchesAtOnce) return;
    const seen = group.waiting.size;
    if (seen === 0) {
      if (group.running === 0) this.#groups.delete(name);
      return;
    }
    group.isScheduled = true;
    // A microtask would be too early: all requests that one tick reads go into the batch.
    setImmediate(() => {
      group.isScheduled = false;
      if (this.#awaitsMore(group, seen)) return this.#schedule(name, group);
      const batch = this.#take(group);
      const [first] = batch;
      if (first !== undefined) {
        group.running += 1;
        work(batch, first.item)
          .catch((error: unknown) => {
            for (const { reject } of batch) reject(error);
          })
          .finally(() => {
            group.running -= 1;
            this.#schedule(name, group);
          });
      }
      this.#schedule(name, group);
    });
  }

  /** True if this tick has brought items after the first `seen`, and the next may bring more. */
  #awaitsMore({ waiting }: Group<Item, Result>, seen: number): boolean {
    const { untilQuietMs = 0, itemsAtOnce } = this.options;
    if (waiting.size <= seen || waiting.size >= itemsAtOnce) return false;
    const first = waiting.next();
    return first !== undefined && performance.now() - first.item.sinceMs < untilQuietMs;
  }

  #take({ waiting }: Group<Item, Result>): QueuedItem<Item, Result>[] {
    const { itemsAtOnce, weight } = this.options;
    const now = performance.now();
    const batch: QueuedItem<Item, Result>[] = [];
    let weighed = 0;
    while (batch.length < itemsAtOnce) {
      const next = waiting.next();
      if (next === undefined) break;
      const queued = next.item;
      weighed += weight?.of(queued.item) ?? 0;
      if (batch.length > 0 && weight !== undefined && weighed > weight.atOnce) break;
      waiting.remove(next);
      waiting.charge(next);
      if (now - queued.sinceMs <= waitLimitMs) batch.push(queued);
      else queued.reject(new OverloadedError(`Cannot begin this within ${waitLimitMs} ms`));
    }
    return batch;
  }
}
