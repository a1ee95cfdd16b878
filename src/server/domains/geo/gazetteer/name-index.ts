/** Rows whose key is the same: from the first up to, not including, the last. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

const emptySlot = -1;

/**
 * Finds rows by their key. The keys stay one text, and the table has only numbers: 380,000 keys
 * take 15 MB and no work of the garbage collector.
 */
export class NameIndex {
  readonly #text: string;
  /** Where each row's key begins in the text; the last number is the end. */
  readonly #starts: Int32Array;
  /** The first row of each key, at the place of the key's hash or after it. */
  readonly #slots: Int32Array;

  /** `keys`: a key for each row, sorted, on lines. */
  constructor(keys: Uint8Array, rows: number) {
    const text = new TextDecoder().decode(keys);
    this.#text = text;
    this.#starts = new Int32Array(rows + 1);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(rows * 1.5 + 2))).fill(emptySlot);
    let hash = firstHash;
    let row = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : lineFeed;
      if (code !== lineFeed) {
        hash = nextHash(hash, code);
        continue;
      }
      this.#starts[row + 1] = at + 1;
      if (row === 0 || !this.#isSame(row - 1, row)) this.#add(hash, row);
      row += 1;
      hash = firstHash;
    }
  }

  find(key: string): RowRange | undefined {
    let hash = firstHash;
    for (let at = 0; at < key.length; at += 1) hash = nextHash(hash, key.charCodeAt(at));
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot] ?? emptySlot;
      if (row === emptySlot) return undefined;
      if (this.#has(row, key)) return this.#rangeFrom(row);
    }
  }

  #add(hash: number, row: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== emptySlot) slot = (slot + 1) & mask;
    this.#slots[slot] = row;
  }

  #rangeFrom(from: number): RowRange {
    let to = from + 1;
    while (to < this.#starts.length - 1 && this.#isSame(from, to)) to += 1;
    return { from, to };
  }

  #has(row: number, key: string): boolean {
    const start = this.#starts[row] ?? 0;
    const length = (this.#starts[row + 1] ?? 0) - 1 - start;
    return length === key.length && this.#text.startsWith(key, start);
  }

  #isSame(one: number, other: number): boolean {
    const start = this.#starts[one] ?? 0;
    const end = (this.#starts[one + 1] ?? 0) - 1;
    const otherStart = this.#starts[other] ?? 0;
    if ((this.#starts[other + 1] ?? 0) - 1 - otherStart !== end - start) return false;
    for (let at = 0; at < end - start; at += 1) {
      if (this.#text.charCodeAt(start + at) !== this.#text.charCodeAt(otherStart + at))
        return false;
    }
    return true;
  }
}

const lineFeed = 10;
/** The hash is FNV-1a with 32 bits. */
const firstHash = 0x81_1c_9d_c5 | 0;

function nextHash(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01_00_01_93);
}
