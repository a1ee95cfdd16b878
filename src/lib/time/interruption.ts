import { deferred, type Deferred } from "./deferred.ts";

/**
 * Ends the wait for one promise after another. A race of each with one lasting promise would keep
 * the values of all winners in memory, because a promise remembers its races until it settles.
 */
export class Interruption {
  #failure: { readonly error: unknown } | undefined;
  #waiting: Deferred<never> | undefined;

  /** Fails the present wait and all later ones with this error; only the first call counts. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#waiting?.reject(this.#failure.error);
  }

  /** The result of the work, or the error of `fail`; the work then continues unobserved. */
  async orFail<Value>(work: PromiseLike<Value>): Promise<Value> {
    const waiting = deferred<never>();
    this.#waiting = waiting;
    if (this.#failure !== undefined) waiting.reject(this.#failure.error);
    try {
      return await Promise.race([work, waiting.promise]);
    } finally {
      this.#waiting = undefined;
    }
  }
}
