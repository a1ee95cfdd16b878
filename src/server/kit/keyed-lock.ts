/** Work under one key runs one after the other, in the order of the calls; keys know nothing of each other. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    // The next in line waits for this one's end, whether it went well or not.
    const tail = result.catch(() => {});
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  /** Keys under which something runs or waits. */
  get size(): number {
    return this.#tails.size;
  }
}
