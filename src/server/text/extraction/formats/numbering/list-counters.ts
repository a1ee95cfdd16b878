import { writeNumber, type Numeral } from "./numerals.ts";

/** One level of a list, and how it writes its numbers. */
export interface ListLevel {
  readonly start: number;
  readonly numeral: Numeral;
  /** The text with `%1` for the number of the first level, `%2` for that of the second one. */
  readonly pattern: string;
  /** The text between the number and the paragraph. */
  readonly after: string;
  /** True if the numbers of the levels above are decimal here. */
  readonly isDecimal?: boolean;
  /** The number of levels after whose numbers this one begins again; by default all above it. */
  readonly restartsAfter?: number | undefined;
}

/** A number, with a space after it, by which the start of an item is known in a text. */
export const simpleNumber = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]\s/i;

const patternAtMost = 100;
/** Signs of fonts without letters, which mean nothing in another font. */
const privateSigns = /[\ue000-\uf8ff]/g;

/** True if a buffer has text from a place on. */
export function hasTextFrom(buffer: readonly string[], from: number): boolean {
  for (let at = from; at < buffer.length; at += 1) {
    if (buffer[at]?.trim() !== "") return true;
  }
  return false;
}

/** A pattern as it is kept: short, and without signs that only its font has. */
export function keptPattern(pattern: string): string {
  return pattern.slice(0, patternAtMost).replaceAll(privateSigns, "");
}

/** A number as text of a file, if it is one that lists may have. */
export function countOf(text: string | undefined): number | undefined {
  const value = Number(text ?? Number.NaN);
  return Number.isInteger(value) && value >= 0 && value < 1e9 ? value : undefined;
}

/** The numbers of one list at its levels, which count from 0. */
export class ListCounters {
  readonly #counts: (number | undefined)[] = [];

  /** Begins a level again at its next number. */
  restart(level: number): void {
    this.#counts[level] = undefined;
  }

  /**
   * Counts one item and returns its number as text. `levelAt` gives the levels up to this one and
   * those below it, which begin again. `start` is the item's own number, if it has one.
   */
  next(level: number, levelAt: (level: number) => ListLevel | undefined, start?: number): string {
    const own = levelAt(level);
    if (own === undefined) return "";
    for (let above = 0; above < level; above += 1) {
      // A level that was skipped counts as one item.
      this.#counts[above] ??= levelAt(above)?.start ?? 1;
    }
    const last = this.#counts[level];
    this.#counts[level] = start ?? (last === undefined ? own.start : last + 1);
    for (let below = level + 1; below < this.#counts.length; below += 1) {
      const after = levelAt(below)?.restartsAfter ?? below;
      if (level < after) this.#counts[below] = undefined;
    }
    return this.#text(own, levelAt);
  }

  #text(own: ListLevel, levelAt: (level: number) => ListLevel | undefined): string {
    const text = own.pattern.replaceAll(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const level = levelAt(at);
      if (level === undefined) return "";
      const numeral = own.isDecimal === true ? "decimal" : level.numeral;
      return writeNumber(this.#counts[at] ?? level.start, numeral);
    });
    return text.trim() === "" ? "" : `${text.trim()}${own.after}`;
  }
}
