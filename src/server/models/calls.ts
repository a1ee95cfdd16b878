import { setTimeout as sleep } from "node:timers/promises";
import type { Circuit } from "./circuit.ts";
import { modelErrorOf } from "./failures.ts";
import { ModelError } from "./model-error.ts";

export interface CallLimits {
  /** The whole call with its retries. */
  readonly totalMs: number;
  /** The longest silence until the first part, and between two parts. */
  readonly silenceMs: number;
  readonly attempts: number;
  /** The first wait before a retry; each further one is twice as long. */
  readonly retryMs: number;
  readonly responseBytes: number;
}

export const defaultCallLimits: CallLimits = {
  totalMs: 120_000,
  silenceMs: 30_000,
  attempts: 3,
  retryMs: 500,
  responseBytes: 8 * 1024 * 1024,
};

/** A `Retry-After` above this ends the call: its caller decides. */
const longestWaitMs = 10_000;

/** The clock of one call: one signal for its caller, its whole time, and each silence. */
export class CallClock {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #silenceMs: number;
  readonly #total: ReturnType<typeof setTimeout>;
  readonly #leave = (): void => this.#controller.abort(this.#caller?.reason);
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor({ totalMs, silenceMs }: CallLimits, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#silenceMs = silenceMs;
    this.#total = setTimeout(() => this.#late(), totalMs);
    this.heard();
    if (caller?.aborted === true) this.#leave();
    caller?.addEventListener("abort", this.#leave, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The endpoint has sent something. */
  heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#late(), this.#silenceMs);
  }

  /** Rejects when the time is over, also when the work ignores the signal. */
  async within<Value>(work: PromiseLike<Value>): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(this.signal.reason as Error);
    if (this.signal.aborted) stop();
    this.signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.signal.removeEventListener("abort", stop);
    }
  }

  /** The caller's own abort, or a `ModelError`. */
  failureOf(error: unknown): unknown {
    if (this.#caller?.aborted === true) return this.#caller.reason;
    return modelErrorOf(this.signal.aborted ? this.signal.reason : error);
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#silence);
    this.#caller?.removeEventListener("abort", this.#leave);
  }

  #late(): void {
    this.#controller.abort(new ModelError("timed-out"));
  }
}

/** Runs attempts until one succeeds; the circuit counts the failed ones. */
export async function attempted<Value>(
  { circuit, limits, clock }: { circuit: Circuit; limits: CallLimits; clock: CallClock },
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    circuit.enter();
    try {
      return await clock.within(attempt());
    } catch (thrown) {
      const error = clock.failureOf(thrown);
      settle(circuit, error);
      if (!(error instanceof ModelError)) throw error;
      const waitMs = error.retryAfterMs ?? limits.retryMs * 2 ** (count - 1);
      const isWorthIt = error.isTemporary && error.failure !== "malformed";
      if (!isWorthIt || count >= limits.attempts || waitMs > longestWaitMs) throw error;
      if (clock.signal.aborted) throw error;
      try {
        // The jitter keeps callers that failed together from returning together.
        await sleep(waitMs * (0.5 + Math.random() / 2), undefined, { signal: clock.signal });
      } catch {
        throw clock.failureOf(error);
      }
      clock.heard();
    }
  }
}

/** Reports to the circuit how a call ended. */
export function settle(circuit: Circuit, error: unknown): void {
  if (!(error instanceof ModelError)) circuit.left();
  else if (error.failure === "paused") return;
  // A refusal is an answer of an endpoint that works.
  else if (error.failure === "refused") circuit.succeeded();
  else circuit.failed();
}
