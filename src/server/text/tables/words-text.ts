import { numbersOfWord, wordLimits } from "./word-places.ts";

/** The JSON of `PageWords` as it is stored; only readers of the page need its numbers. */
export interface WordsText {
  readonly json: string;
  /** The number of its words. */
  readonly count: number;
}

const count = "(?:0|[1-9]\\d{0,8})";
const pairs = `${count},${count}(?:,${count},${count}){0,${wordLimits.unsure - 1}}`;
const unsureParts = new RegExp(`^\\{"unsure":\\[(${pairs})?\\],`);
const beginning = new RegExp(
  `^\\{(?:"unsure":\\[(${pairs})?\\],)?"width":\\d{1,15},"height":\\d{1,15},"places":\\[`,
);
const ending = "]}";
const [comma, minus, point, exponent, plus] = [0x2c, 0x2d, 0x2e, 0x65, 0x2b];
const [zero, nine] = [0x30, 0x39];

/**
 * Checks a text of a child: it is the JSON of words within a page of this length. To parse it and
 * write it again takes four times as long. Null for another text.
 */
export function wordsTextOf(json: unknown, characters: number): WordsText | null {
  if (typeof json !== "string" || !json.endsWith(ending)) return null;
  const begun = beginning.exec(json);
  if (begun === null || !arePartsWithin(begun[1], characters)) return null;
  const count = new Places(json, begun[0].length, characters).count();
  return count === undefined ? null : { json, count };
}

function arePartsWithin(written: string | undefined, characters: number): boolean {
  const numbers = written?.split(",").map(Number) ?? [];
  return numbers.every((value, at) => at % 2 === 0 || (numbers[at - 1] ?? 0) + value <= characters);
}

/** The longest beginning of a text of words that its unsure parts are in. */
export const beginningOfWords = 20 * wordLimits.unsure + 20;

/** The unsure parts of a picture's text, from the beginning of its words; undefined without. */
export function unsureOf(json: string | null): readonly number[] | undefined {
  const parts = json === null ? null : unsureParts.exec(json);
  return parts === null ? undefined : (parts[1]?.split(",").map(Number) ?? []);
}

/** Reads the numbers of places from one position of a text to its ending. */
class Places {
  constructor(
    private readonly text: string,
    private at: number,
    private readonly characters: number,
  ) {}

  /** The number of words; undefined for a text with anything else. */
  count(): number | undefined {
    const end = this.text.length - ending.length;
    let count = 0;
    while (this.at < end) {
      if (count > 0 && !this.#passes(comma)) return undefined;
      if (count === wordLimits.page || !this.#isWord()) return undefined;
      count += 1;
    }
    return this.at === end ? count : undefined;
  }

  #isWord(): boolean {
    const start = this.#whole();
    const length = this.#passes(comma) ? this.#whole() : Number.NaN;
    if (!(start + length <= this.characters)) return false;
    for (let at = 2; at < numbersOfWord; at += 1) {
      if (!this.#passes(comma) || !this.#isNumber()) return false;
    }
    return true;
  }

  /** Passes digits without a leading zero, and returns their number; NaN for another text. */
  #whole(): number {
    const first = this.at;
    let value = 0;
    let code = this.text.charCodeAt(this.at);
    while (code >= zero && code <= nine) {
      value = value * 10 + code - zero;
      this.at += 1;
      code = this.text.charCodeAt(this.at);
    }
    const digits = this.at - first;
    const isLed = digits > 1 && this.text.charCodeAt(first) === zero;
    return digits === 0 || isLed ? Number.NaN : value;
  }

  #isNumber(): boolean {
    const first = this.at;
    this.#passes(minus);
    if (Number.isNaN(this.#whole())) return false;
    if (this.#passes(point) && !this.#passesDigits()) return false;
    if (this.#passes(exponent) && (!this.#passes(plus) || !this.#passesDigits())) return false;
    return this.at - first <= longestNumber && this.#isFinite(first);
  }

  #passesDigits(): boolean {
    const first = this.at;
    while (this.#isDigit()) this.at += 1;
    return this.at > first;
  }

  #isDigit(): boolean {
    const code = this.text.charCodeAt(this.at);
    return code >= zero && code <= nine;
  }

  /** Only a number with an exponent may be too large. */
  #isFinite(first: number): boolean {
    const isShort = this.at - first < shortNumber;
    return isShort || Number.isFinite(Number(this.text.slice(first, this.at)));
  }

  #passes(code: number): boolean {
    if (this.text.charCodeAt(this.at) !== code) return false;
    this.at += 1;
    return true;
  }
}

/** The longest number that JSON writes. */
const longestNumber = 25;
/** A shorter one has no exponent of three digits. */
const shortNumber = 6;
