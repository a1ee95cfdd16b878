import { OverloadedError } from "./errors.ts";

interface Waiting {
  readonly start: () => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** At most `count` at a time, at most `queueLimit` waiting, none longer than `waitLimitMs`. */
export class Permits {
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(
    count: number,
    private readonly queueLimit: number,
    private readonly waitLimitMs: number,
  ) {
    this.#free = count;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.#acquire();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      if (this.#waiting.size >= this.queueLimit) {
        return reject(
          new OverloadedError(`Cannot wait: ${this.#waiting.size} are waiting already`),
        );
      }
      const waiting: Waiting = {
        start: resolve,
        timer: setTimeout(() => {
          this.#waiting.delete(waiting);
          reject(new OverloadedError(`Cannot get a connection within ${this.waitLimitMs} ms`));
        }, this.waitLimitMs),
      };
      this.#waiting.add(waiting);
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.start();
  }
}
