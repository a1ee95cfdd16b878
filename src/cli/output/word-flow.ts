/** Wraps streamed text at a terminal's width; keeps an unfinished word back until it ends. */
export class WordFlow {
  readonly #columns: number;
  #column = 0;
  #word = "";
  /** Inside a word that is longer than a line, which is shown as it arrives. */
  #isLong = false;

  /** `columns` of the terminal, at least 1. */
  constructor(columns: number) {
    this.#columns = Math.max(1, columns);
  }

  /** The text to show after `text` arrived; `text` has no control characters except LF and TAB. */
  push(text: string): string {
    let shown = "";
    for (const [part] of text.matchAll(/\n|[^\S\n]+|\S+/g)) {
      if (/^\S/.test(part)) {
        this.#word += part;
        if (this.#isLong || this.#word.length > this.#columns) {
          shown += this.#takeWord();
          this.#isLong = true;
        }
        continue;
      }
      shown += this.#takeWord();
      this.#isLong = false;
      if (part === "\n") {
        shown += part;
        this.#column = 0;
      } else if (this.#column < this.#columns) {
        shown += part;
        this.#column += Bun.stringWidth(part);
      }
    }
    return shown;
  }

  /** The word that is still held back. */
  end(): string {
    return this.#takeWord();
  }

  #takeWord(): string {
    if (this.#word === "") return "";
    const word = this.#word;
    const width = Bun.stringWidth(word);
    this.#word = "";
    const breaks = !this.#isLong && this.#column > 0 && this.#column + width > this.#columns;
    const end = (breaks ? 0 : this.#column) + width;
    // The terminal itself breaks a word that is longer than a line.
    this.#column = end <= this.#columns ? end : end % this.#columns;
    return breaks ? `\n${word}` : word;
  }
}
