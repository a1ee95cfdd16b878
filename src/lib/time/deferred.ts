export interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/** `Promise.withResolvers()` for Node 20, which does not have it. */
export function deferred<Value>(): Deferred<Value> {
  let resolve!: Deferred<Value>["resolve"];
  let reject!: Deferred<Value>["reject"];
  const promise = new Promise<Value>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

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
