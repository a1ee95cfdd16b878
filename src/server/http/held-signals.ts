import { shuttingDown } from "../work/refusals.ts";

/** The signals of running requests, which a drain aborts. */
export class HeldSignals {
  readonly #held = new Set<AbortController>();

  constructor(
    private readonly parts: {
      readonly draining: AbortSignal;
      /** The time over which a drain ends streams and requests that watch their signal. */
      readonly spreadMs: () => number;
    },
  ) {
    parts.draining.addEventListener("abort", () => {
      for (const controller of this.#held) this.#end(controller);
    });
  }

  /** Their number, for tests that look for leaks. */
  get size(): number {
    return this.#held.size;
  }

  add(controller: AbortController): void {
    this.#held.add(controller);
    if (this.parts.draining.aborted) this.#end(controller);
  }

  delete(controller: AbortController): boolean {
    return this.#held.delete(controller);
  }

  /** Aborts at a random moment, so that the clients of all streams do not come back at once. */
  #end(controller: AbortController): void {
    const spreadMs = this.parts.spreadMs();
    const end = (): void => {
      if (this.delete(controller)) controller.abort(shuttingDown());
    };
    if (spreadMs === 0) end();
    else setTimeout(end, Math.random() * spreadMs).unref();
  }
}
