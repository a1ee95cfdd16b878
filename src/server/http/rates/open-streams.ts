import { Refusal } from "#contract/problems.ts";

export class OpenStreams {
  readonly #counts = new Map<string, number>();

  #open = 0;

  constructor(private readonly limit: number) {}

  get count(): number {
    return this.#open;
  }

  /** Counts a stream until the returned function is called; 429 above the limit. */
  take(caller: string): () => void {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= this.limit) {
      throw new Refusal("rate-limited", {
        detail: `Cannot open another stream: you have ${this.limit} open streams, which is the limit`,
        headers: { "retry-after": "5" },
      });
    }
    this.#counts.set(caller, count + 1);
    this.#open += 1;
    return () => {
      this.#open -= 1;
      const left = (this.#counts.get(caller) ?? 1) - 1;
      if (left === 0) this.#counts.delete(caller);
      else this.#counts.set(caller, left);
    };
  }
}
