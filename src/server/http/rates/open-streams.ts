import { Refusal } from "#contract/problems.ts";

/** Event streams of each caller that are open at once: each holds memory and a watch for its life. */
export class OpenStreams {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more, until the function that it returns is called; 429 beyond the limit. */
  take(caller: string): () => void {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= this.#limit) {
      throw new Refusal("rate-limited", {
        detail: `Cannot open another stream: ${this.#limit} of yours are open`,
        headers: { "retry-after": "5" },
      });
    }
    this.#counts.set(caller, count + 1);
    return () => {
      const left = (this.#counts.get(caller) ?? 1) - 1;
      if (left === 0) this.#counts.delete(caller);
      else this.#counts.set(caller, left);
    };
  }
}
