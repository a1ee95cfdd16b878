/**
 * How often something has changed, for all threads of this process: one of them makes the changes
 * and raises it, whoever keeps what was read looks whether it still is as it was then.
 */
export class ChangeCount {
  readonly #cell: Int32Array;

  /** `memory` of another thread's count shares it. */
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
