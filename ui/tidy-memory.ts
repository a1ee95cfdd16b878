/** A pause in typing in which a collection is not noticed. */
const restMs = 100;
/** A collection takes about 15 ms, so held keys wait for few. */
const shortestMs = 600;
const longestMs = 1_000;

export interface Collector {
  readonly collect: () => void;
  readonly now: () => number;
}

/**
 * Collects garbage while input comes, in its pauses where there are any: the runtime alone lets the
 * rows and frames of a long list pile up to 200 MiB. Without input nothing runs.
 */
export class MemoryTidying {
  readonly #collector: Collector;
  #timer: NodeJS.Timeout | undefined;
  #inputAt = 0;
  #tidiedAt: number;

  constructor(collector: Collector) {
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
      this.#timer = this.#later();
      return;
    }
    this.#timer = undefined;
    this.#tidiedAt = now;
    this.#collector.collect();
  }
}
