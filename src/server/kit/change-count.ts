/**
 * Counts changes, in memory that all threads of this process share: the thread that makes a change
 * raises it, and a cache compares it with the value it was read at.
 */
export class ChangeCount {
  readonly #cell: Int32Array;

  /** The memory of another thread's count is shared with it. */
  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#cell = new Int32Array(memory);
  }

  get value(): number {
    return Atomics.load(this.#cell, 0);
  }

  raise(): void {
    Atomics.add(this.#cell, 0, 1);
  }
}
