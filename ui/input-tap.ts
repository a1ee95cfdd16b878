/** Reads along what another reader takes from a terminal's keyboard. */
export class InputTap {
  readonly #stdin: NodeJS.ReadStream;
  readonly #listeners = new Set<(input: string) => void>();

  constructor(stdin: NodeJS.ReadStream) {
    this.#stdin = stdin;
  }

  listen = (listener: (input: string) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Passes on each chunk that `read` returns; the returned function ends that. A `data` listener
   * would keep the stream flowing while an editor has the terminal.
   */
  open(): () => void {
    const stdin = this.#stdin;
    const { read } = stdin;
    stdin.read = (size?: number): unknown => {
      const chunk: unknown = read.call(stdin, size);
      if (typeof chunk === "string") for (const listener of this.#listeners) listener(chunk);
      return chunk;
    };
    return () => {
      stdin.read = read;
    };
  }
}
