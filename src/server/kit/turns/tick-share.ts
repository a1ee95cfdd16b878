const shareMs = 4;

/** Splits long work, so that the process answers other requests between its parts. */
export class TickShare {
  #beganAt = performance.now();

  /** Waits for the next tick when this one has lasted longer than its share. */
  async yieldWhenUsed(): Promise<void> {
    if (performance.now() - this.#beganAt <= shareMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#beganAt = performance.now();
  }
}
