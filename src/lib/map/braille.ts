/** The bits of a braille cell's dots: two across, four down. */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const blankCell = 0x28_00;
/** Blocks by the sum of their quarters: upper left 1 and right 2, lower left 4 and right 8. */
const blocks = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█";
export const dotsAcross = 2;
export const dotsDown = 4;

/** A picture of dots in characters of a terminal, each of which is 2 dots wide and 4 high. */
export class BrailleCanvas {
  readonly #cells: Uint8Array;

  constructor(
    readonly columns: number,
    readonly rows: number,
  ) {
    this.#cells = new Uint8Array(columns * rows);
  }

  get width(): number {
    return this.columns * dotsAcross;
  }

  get height(): number {
    return this.rows * dotsDown;
  }

  /** Sets a dot; the first row is the highest. Dots outside of the picture are left out. */
  dot(x: number, y: number): void {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    if (left < 0 || top < 0 || left >= this.width || top >= this.height) return;
    const cell = Math.floor(top / dotsDown) * this.columns + Math.floor(left / dotsAcross);
    const bit = dotBits[top % dotsDown]?.[left % dotsAcross] ?? 0;
    this.#cells[cell] = (this.#cells[cell] ?? 0) | bit;
  }

  /** Draws a straight line; its parts outside of the picture take no time. */
  line(x1: number, y1: number, x2: number, y2: number): void {
    const part = this.#partInside(x1, y1, x2, y2);
    if (part === undefined) return;
    const [from, to] = part;
    const steps = Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) * (to - from);
    const count = Math.max(1, Math.ceil(steps));
    for (let step = 0; step <= count; step += 1) {
      const at = from + ((to - from) * step) / count;
      this.dot(x1 + (x2 - x1) * at, y1 + (y2 - y1) * at);
    }
  }

  /** The character of a cell; a blank without dots. */
  character(column: number, row: number): string {
    const dots = this.#cells[row * this.columns + column] ?? 0;
    return dots === 0 ? " " : String.fromCodePoint(blankCell + dots);
  }

  /** The quarters of a cell that have a dot, for fonts whose Braille is hard to see. */
  block(column: number, row: number): string {
    const dots = this.#cells[row * this.columns + column] ?? 0;
    let quarters = 0;
    for (const [y, bits] of dotBits.entries()) {
      for (const [x, bit] of bits.entries()) {
        if ((dots & bit) !== 0) quarters |= (y < dotsDown / 2 ? 1 : 4) << x;
      }
    }
    return blocks[quarters] ?? " ";
  }

  /** The part of a line that is inside, as shares of its length (Liang and Barsky). */
  #partInside(x1: number, y1: number, x2: number, y2: number): [number, number] | undefined {
    let from = 0;
    let to = 1;
    const sides = [
      [x1 - x2, x1],
      [x2 - x1, this.width - x1],
      [y1 - y2, y1],
      [y2 - y1, this.height - y1],
    ] as const;
    for (const [step, room] of sides) {
      if (step === 0 && room < 0) return undefined;
      if (step < 0) from = Math.max(from, room / step);
      if (step > 0) to = Math.min(to, room / step);
    }
    return from <= to ? [from, to] : undefined;
  }
}
