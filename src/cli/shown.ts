import { cellText, harmlessJson, plainLine, plainText } from "#lib/text/terminal.ts";

/**
 * Text that is safe to print: its control sequences are the program's own. Output takes no other
 * type, and only this file makes it, so text from outside is cleaned where it becomes `Shown`.
 * Data keeps the original: JSON output, files and written records have what the platform sent.
 */
export class Shown {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** A line: fixed text, and values that are cleaned unless they are `Shown`. */
  static line(parts: TemplateStringsArray, ...values: readonly Value[]): Shown {
    return new Shown(
      parts.reduce((text, part, index) => text + textOf(values[index - 1] ?? "") + part),
    );
  }

  /** Several lines of text from outside; keeps LF and TAB. */
  static block(text: string): Shown {
    return new Shown(plainText(text));
  }

  /** A line from outside, reduced to what every terminal draws equally wide. */
  static cell(text: string): Shown {
    return new Shown(cellText(text));
  }

  /** Valid JSON, with escapes for a terminal; a pipe or a file gets it as it came. */
  static json(text: string, isTerminal: boolean): Shown {
    return new Shown(isTerminal ? harmlessJson(text) : text);
  }

  static joined(parts: readonly Value[], separator: Separator): Shown {
    return new Shown(parts.map(textOf).join(separator));
  }

  /** The text between two control sequences. */
  static styled([open, close]: readonly [`\x1b[${string}`, `\x1b[${string}`], text: Value): Shown {
    return new Shown(`${open}${textOf(text)}${close}`);
  }

  /** The width in terminal columns. */
  get width(): number {
    return Bun.stringWidth(this.#text);
  }

  get isEmpty(): boolean {
    return this.#text === "";
  }

  /** The text in at most `width` columns, cut with `…`. */
  clipped(width: number): Shown {
    if (this.width <= width) return this;
    return new Shown(`${this.beginning(Math.max(1, width - 1)).toString()}…`);
  }

  beginning(width: number): Shown {
    return new Shown(Bun.sliceAnsi(this.#text, 0, width));
  }

  padded(width: number, align?: "right"): Shown {
    const space = " ".repeat(Math.max(0, width - this.width));
    return new Shown(align === "right" ? `${space}${this.#text}` : `${this.#text}${space}`);
  }

  trimmed(): Shown {
    return new Shown(this.#text.trimEnd());
  }

  /** Broken between words at `columns`; each line has its own control sequences. */
  wrapped(columns: number): Shown {
    return this.width <= columns ? this : new Shown(Bun.wrapAnsi(this.#text, columns));
  }

  /** Wrapped as a whole, also when it has several lines. */
  paragraphs(columns: number): Shown {
    return new Shown(Bun.wrapAnsi(this.#text, columns));
  }

  /** Each line but the first begins with blanks. */
  indented(blanks: number): Shown {
    return new Shown(this.#text.replaceAll("\n", `\n${" ".repeat(blanks)}`));
  }

  toString(): string {
    return this.#text;
  }
}

type Value = Shown | string | number;
type Separator = "" | " " | "\n" | "\t" | "  " | ", ";

function textOf(value: Value): string {
  return value instanceof Shown ? value.toString() : plainLine(String(value));
}

/** A line of text for the terminal: see {@link Shown.line}. */
export const shown = Shown.line;
