/**
 * Breaks text between words where a terminal's line ends, as the text comes in. A word is held back
 * until what follows shows where it ends, or it is longer than a line; `end` gives what is left.
 */
export class WordFlow {
  readonly #columns: number;
  #column = 0;
  #word = "";
  /** Within a word that is longer than a line: what comes of it is shown at once. */
  #isLong = false;

  /** `columns` of the terminal, at least 1. */
  constructor(columns: number) {
    this.#columns = Math.max(1, columns);
  }

  /** What can be shown once `text` has come as well; it holds no control character but LF and TAB. */
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

  /** The word that was held back. */
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
    // The terminal itself has broken what is longer than a line.
    this.#column = end <= this.#columns ? end : end % this.#columns;
    return breaks ? `\n${word}` : word;
  }
}
