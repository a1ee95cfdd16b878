import { keptPromise } from "../background.ts";
/** Runs the work of one key one after the other, in the order of the calls. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work);
    const tail = result.catch(() => {});
    this.#tails.set(key, keptPromise(tail));
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  get size(): number {
    return this.#tails.size;
  }
}
