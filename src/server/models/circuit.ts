import { ModelError } from "./model-error.ts";

export interface CircuitOptions {
  /** Failures in a row that open it. Default 5. */
  readonly failures?: number | undefined;
  /** How long it stays open before one call may try again. Default 30,000. */
  readonly openMs?: number | undefined;
  /** The clock, in monotonic milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * A circuit breaker: after several failures in a row it refuses calls for a while, then lets one
 * call through, whose end decides whether it closes.
 */
export class Circuit {
  readonly #failures: number;
  readonly #openMs: number;
  readonly #now: () => number;
  #failed = 0;
  #opensUntilMs = 0;
  #isProbing = false;

  constructor(options: CircuitOptions = {}) {
    this.#failures = options.failures ?? 5;
    this.#openMs = options.openMs ?? 30_000;
    this.#now = options.now ?? (() => performance.now());
  }

  get state(): "closed" | "open" | "half-open" {
    if (this.#failed < this.#failures) return "closed";
    return this.#now() < this.#opensUntilMs ? "open" : "half-open";
  }

  /** Throws `paused` while the circuit is open, or while another call tries it. */
  enter(): void {
    const { state } = this;
    if (state === "closed") return;
    if (state === "open" || this.#isProbing) {
      const retryAfterMs = Math.max(1_000, Math.ceil(this.#opensUntilMs - this.#now()));
      throw new ModelError("paused", { retryAfterMs });
    }
    this.#isProbing = true;
  }

  succeeded(): void {
    this.#isProbing = false;
    this.#failed = 0;
  }

  failed(): void {
    this.#isProbing = false;
    this.#failed += 1;
    if (this.#failed >= this.#failures) this.#opensUntilMs = this.#now() + this.#openMs;
  }

  /** The call ended without a word about the endpoint: its caller went away. */
  left(): void {
    this.#isProbing = false;
  }
}
