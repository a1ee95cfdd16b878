/**
 * Lets the requests that one turn of the event loop has read go on together, once all of them have
 * come as far: they are handled one behind the other, and then answered one behind the other. Each by
 * itself, read, handled and answered, takes half as much time again: whoever waits is woken for each
 * answer, and what the three are done with is out of the processor's caches when it comes up again.
 */
export class RequestTurns {
  #end: Promise<void> | undefined;

  /** Resolves when the turn is over, for all who ask in it at the same time. */
  end(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#end = undefined;
        resolve();
      });
    });
    return this.#end;
  }
}
