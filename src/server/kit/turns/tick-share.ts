import { FairQueue } from "./fair-queue.ts";

const shareMs = 1;

/** The shares of this thread that wait for a tick: one goes on in each, those of shares in turn. */
class Ticks {
  readonly #waiting = new FairQueue<() => void>();
  #isScheduled = false;

  next(share: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve, share);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const next = this.#waiting.take();
      next?.item();
      if (next !== undefined) this.#waiting.charge(next);
      this.#schedule();
    });
  }
}

/** A thread has one event loop, so that all of its long work waits in one line. */
const ticks = new Ticks();

/**
 * Splits long work, so that the process answers other requests between its parts. A tick has one
 * part, however many requests are long: shares, such as workspaces, go on in turn.
 */
export class TickShare {
  #beganAt = performance.now();

  constructor(private readonly share = "") {}

  /** Waits for this work's turn in a tick. */
  async begin(): Promise<void> {
    await ticks.next(this.share);
    this.#beganAt = performance.now();
  }

  /** Waits for the next turn when this one has lasted longer than its part of a tick. */
  async yieldWhenUsed(): Promise<void> {
    if (performance.now() - this.#beganAt > shareMs) await this.begin();
  }
}
