import { edenGC } from "bun:jsc";

/** A pause in typing in which a collection is not noticed. */
const restMs = 100;
/** A full collection takes about 15 ms, so held keys wait for few. */
const shortestMs = 600;
const longestMs = 2_000;

export interface Collector {
  readonly collect: () => void;
  /** Collects what was allocated since the last collection, in about 3 ms. */
  readonly collectRecent: () => void;
  readonly now: () => number;
}

/** The collector of the runtime, whose members a program of many dashboards replaces. */
export const runtimeCollector: { -readonly [Member in keyof Collector]: Collector[Member] } = {
  collect: () => Bun.gc(true),
  collectRecent: edenGC,
  now: Date.now,
};

/**
 * Collects garbage while input comes: the recent one between held keys, all of it in pauses. The
 * runtime alone lets the rows and frames of a long list pile up to 200 MiB. Without input nothing
 * runs.
 */
export class MemoryTidying {
  readonly #collector: Collector;
  #timer: NodeJS.Timeout | undefined;
  #inputAt = 0;
  #tidiedAt: number;

  constructor(collector = runtimeCollector) {
    this.#collector = collector;
    this.#tidiedAt = collector.now();
  }

  onInput = (): void => {
    this.#inputAt = this.#collector.now();
    this.#timer ??= this.#later();
  };

  end(): void {
    clearTimeout(this.#timer);
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => this.#check(), restMs).unref();
  }

  #check(): void {
    const now = this.#collector.now();
    const sinceMs = now - this.#tidiedAt;
    const isResting = now - this.#inputAt >= restMs && sinceMs >= shortestMs;
    if (!isResting && sinceMs < longestMs) {
      this.#collector.collectRecent();
      this.#timer = this.#later();
      return;
    }
    this.#timer = undefined;
    this.#tidiedAt = now;
    this.#collector.collect();
  }
}
