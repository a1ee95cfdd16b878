/** A signal for abort and timeout that, unlike `AbortSignal.any`, releases the caller's signal. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #endsAtMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #expired = false;

  /** `Infinity` sets no time limit. */
  constructor(durationMs: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.#endsAtMs = Infinity;
    this.#onAbort = () => this.#controller.abort(caller?.reason);
    if (caller?.aborted === true) this.#onAbort();
    else caller?.addEventListener("abort", this.#onAbort, { once: true });
    this.restart(durationMs);
  }

  /** Restarts the clock with the limit `durationMs`. */
  restart(durationMs: number): void {
    clearTimeout(this.#timer);
    this.#endsAtMs = performance.now() + durationMs;
    if (Number.isFinite(durationMs)) {
      this.#timer = setTimeout(() => this.expire(), durationMs);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** True if the time ran out; false when the caller aborted. */
  get expired(): boolean {
    return this.#expired;
  }

  get remainingMs(): number {
    return Math.max(0, this.#endsAtMs - performance.now());
  }

  /** Aborts as if the time had run out. */
  expire(): void {
    if (this.#controller.signal.aborted) return;
    this.#expired = true;
    this.#controller.abort(new DOMException("The time ran out", "TimeoutError"));
  }

  /** Stops the clock; the caller's signal still aborts. */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  close(): void {
    this.stopClock();
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }
}
