import { OverloadedError } from "./errors.ts";

export interface GatheringOptions<Item, Result> {
  /** Does what was gathered: it answers each, and does not throw. */
  readonly work: (gathered: readonly Gathered<Item, Result>[]) => Promise<void>;
  /** How many of them work at a time. */
  readonly worksAtOnce: number;
  readonly itemsAtOnce: number;
  /**
   * As long as each turn of the loop brings others, they are waited for, at most so long. No time is
   * lost, for the thread is busy with those others; and what each of them costs is less in one work.
   */
  readonly untilQuietMs?: number;
  /** What one brings, and what the items of one work may weigh together; a heavier one goes alone. */
  readonly weight?: { readonly of: (item: Item) => number; readonly atOnce: number };
  /** Items that may wait; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
}

export interface Gathered<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** What an item waits before it is refused. */
const waitLimitMs = 10_000;

/** Does together what is asked for at the same time: what comes while it works is the next work. */
export class Gathering<Item, Result> {
  readonly #options: GatheringOptions<Item, Result>;
  readonly #waiting: (Gathered<Item, Result> & { readonly sinceMs: number })[] = [];
  #isScheduled = false;
  #works = 0;

  constructor(options: GatheringOptions<Item, Result>) {
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.length;
      if (waiting >= this.#options.queueLimit) {
        return reject(new OverloadedError(`Cannot wait: ${waiting} are waiting already`));
      }
      this.#waiting.push({ item, sinceMs: performance.now(), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    const { worksAtOnce, work } = this.#options;
    if (this.#isScheduled || this.#works >= worksAtOnce || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const seen = this.#waiting.length;
    // Not a microtask: the requests that one turn of the loop reads shall all be in it.
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#comesMore(seen)) return this.#schedule();
      const taken = this.#take();
      if (taken.length > 0) {
        this.#works += 1;
        void work(taken).finally(() => {
          this.#works -= 1;
          this.#schedule();
        });
      }
      this.#schedule();
    });
  }

  /** Whether those behind the first `seen` came in this turn, and there may be others in the next. */
  #comesMore(seen: number): boolean {
    const { untilQuietMs, itemsAtOnce } = this.#options;
    const [first] = this.#waiting;
    const waiting = this.#waiting.length;
    if (untilQuietMs === undefined || first === undefined) return false;
    if (waiting <= seen || waiting >= itemsAtOnce) return false;
    return performance.now() - first.sinceMs < untilQuietMs;
  }

  #take(): Gathered<Item, Result>[] {
    const { itemsAtOnce, weight } = this.#options;
    const now = performance.now();
    const taken: Gathered<Item, Result>[] = [];
    let weighed = 0;
    let looked = 0;
    for (const waiting of this.#waiting) {
      weighed += weight?.of(waiting.item) ?? 0;
      if (taken.length === itemsAtOnce) break;
      if (taken.length > 0 && weight !== undefined && weighed > weight.atOnce) break;
      looked += 1;
      if (now - waiting.sinceMs <= waitLimitMs) taken.push(waiting);
      else waiting.reject(new OverloadedError(`Cannot begin this within ${waitLimitMs} ms`));
    }
    this.#waiting.splice(0, looked);
    return taken;
  }
}
