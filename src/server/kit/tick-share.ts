/** After this time in one go others have their turn. */
const turnMs = 4;

/** Long work in pieces, between which the process answers others. */
export class Turn {
  #beganAt = performance.now();

  async passOn(): Promise<void> {
    if (performance.now() - this.#beganAt <= turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#beganAt = performance.now();
  }
}
