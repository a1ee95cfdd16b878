/** The text is not CSV; the message gives the reason and the row. */
export class CsvError extends Error {
  override readonly name = "CsvError";
}

export interface CsvRow {
  /** The number from 1, as in a spreadsheet: empty lines count. */
  readonly number: number;
  /** `undefined` for a cell without characters, as opposed to `""`. */
  readonly cells: readonly (string | undefined)[];
}

/**
 * Splits CSV text (RFC 4180, also with another separator) into rows, in the memory of one row.
 * Throws {@link CsvError}.
 */
export class CsvRows {
  readonly #longestRow: number;
  readonly #separator: string;
  #state: "start" | "plain" | "quoted" | "closed" = "start";
  #afterReturn = false;
  #cell = "";
  #cells: (string | undefined)[] = [];
  #length = 0;
  #count = 1;

  constructor(longestRow: number, separator = ",") {
    this.#longestRow = longestRow;
    this.#separator = separator;
  }

  push(chunk: string): CsvRow[] {
    const separator = this.#separator;
    const rows: CsvRow[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const character = chunk[at];
      if (this.#state === "quoted") {
        if (character !== '"') continue;
        this.#keep(chunk.slice(from, at));
        this.#state = "closed";
        continue;
      }
      if (this.#state === "closed" && character === '"') {
        // Two quotes in a quoted cell are one; the second one begins the next piece.
        this.#state = "quoted";
        from = at;
        continue;
      }
      const isEndOfReturn = this.#afterReturn && character === "\n";
      this.#afterReturn = character === "\r";
      if (isEndOfReturn) {
        from = at + 1;
      } else if (character === separator || character === "\r" || character === "\n") {
        if (this.#state === "plain") this.#keep(chunk.slice(from, at));
        if (character === separator) this.#endCell();
        else rows.push(...this.#endRow());
        this.#state = "start";
        from = at + 1;
      } else if (this.#state === "closed") {
        throw new CsvError(`something follows a closing quote in row ${this.#count}`);
      } else if (this.#state === "start") {
        this.#state = character === '"' ? "quoted" : "plain";
        from = character === '"' ? at + 1 : at;
      }
    }
    if (this.#state === "plain" || this.#state === "quoted") this.#keep(chunk.slice(from));
    return rows;
  }

  /** The last row, which only the end of the text ends. */
  end(): CsvRow[] {
    if (this.#state === "quoted") {
      throw new CsvError(`a quoted cell in row ${this.#count} does not end`);
    }
    return this.#endRow();
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#longestRow) {
      const longest = Math.floor(this.#longestRow / 1024 / 1024);
      throw new CsvError(`row ${this.#count} is longer than ${longest} MiB`);
    }
    this.#cell += piece;
  }

  #endCell(): void {
    this.#cells.push(this.#state === "start" ? undefined : this.#cell);
    this.#cell = "";
    // A separator counts also: a row of separators only must have a limit.
    this.#length += 1;
  }

  #endRow(): CsvRow[] {
    const isEmptyLine = this.#state === "start" && this.#cells.length === 0;
    const number = this.#count;
    this.#count += 1;
    if (isEmptyLine) return [];
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    this.#length = 0;
    return [{ number, cells }];
  }
}
