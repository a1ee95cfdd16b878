import { visitPlaces } from "./find-words.ts";
import { hintsOf, languagesAmong, languagesHaving, type LatinLanguage } from "./languages.ts";
import { wordsOfShortText } from "./terms.ts";
import { formsOfWord, type FormsOfTerm } from "./text-words.ts";

/*
 * A search compares all words of 200 passages. It takes them as numbers: a word is looked up by two
 * hashes of its letters in an array of numbers. The texts and forms of so many words, each in
 * another place in memory, would take most of the time of a search.
 */

/** Words that have a number before they are numbered again, from 0. */
const wordsAtMost = 48_000;
const cellsAtFirst = 4_096;
/** The share of a table's cells from which on it grows. */
const fullShare = 0.6;
/** A cell has the two hashes of a word, then its value. */
const cellSize = 3;

/** Odd numbers that each process chooses, so that no text is made of words of one hash. */
const [factor, otherFactor] = Array.from(
  crypto.getRandomValues(new Int32Array(2)),
  (value) => value | 1,
) as [number, number];

/** Texts as numbers of their words, in order: those of `wordsOfText`. */
export interface NumberedTexts {
  readonly texts: readonly Int32Array[];
  readonly numbers: WordNumbers;
}

/** Values of words by their letters. 0 is the value of none. */
class HashedWords {
  #cells = new Int32Array(cellsAtFirst * cellSize);
  #count = 0;

  get(hash: number, other: number): number {
    return this.#cells[this.#cellOf(hash, other) + 2] ?? 0;
  }

  /** Adds a word that it does not have. */
  add(hash: number, other: number, value: number): void {
    this.#count += 1;
    if (this.#count * cellSize > this.#cells.length * fullShare) this.#grow();
    this.#put(hash, other, value);
  }

  #put(hash: number, other: number, value: number): void {
    this.#cells.set([hash, other, value], this.#cellOf(hash, other));
  }

  /** The place of its cell, or of the free one for it. */
  #cellOf(hash: number, other: number): number {
    const cells = this.#cells;
    const last = cells.length / cellSize - 1;
    let cell = hash & last;
    for (;;) {
      const at = cell * cellSize;
      if (cells[at + 2] === 0 || (cells[at] === hash && cells[at + 1] === other)) return at;
      cell = (cell + 1) & last;
    }
  }

  #grow(): void {
    const before = this.#cells;
    this.#cells = new Int32Array(before.length * 2);
    for (let at = 0; at < before.length; at += cellSize) {
      const [hash = 0, other = 0, value = 0] = before.subarray(at, at + cellSize);
      if (value !== 0) this.#put(hash, other, value);
    }
  }
}

/** The places and hashes of a text's words, which each text writes again. */
interface Places {
  count: number;
  readonly starts: number[];
  readonly ends: number[];
  readonly identifiers: boolean[];
  readonly hashes: number[];
  readonly others: number[];
}

/** Values of words, few of which differ. */
class KnownOfWords<Value> {
  readonly #places = new HashedWords();
  readonly #values: Value[] = [];
  readonly #known = new Map<Value, number>();

  constructor(private readonly find: (word: string) => Value) {}

  of(text: string, { starts, ends, hashes, others }: Places, at: number): Value {
    const hash = hashes[at] ?? 0;
    const other = others[at] ?? 0;
    const known = this.#values[this.#places.get(hash, other) - 1];
    if (known !== undefined) return known;
    const value = this.find(text.slice(starts[at], ends[at]));
    const place = this.#known.get(value) ?? this.#values.push(value);
    this.#known.set(value, place);
    this.#places.add(hash, other, place);
    return value;
  }
}

/** Numbers of words and of their forms. */
export class WordNumbers {
  readonly #byLanguages = new Map<string, HashedWords>();
  readonly #words: FormsOfTerm[] = [];
  readonly #stems: number[] = [];
  readonly #forms = new Map<string, number>();
  readonly #having: number[][] = [];
  /** Words that count as several, such as a reference with its parts, or as none. */
  readonly #several: (readonly number[])[] = [];
  readonly #functions = new KnownOfWords(languagesHaving);
  readonly #hints = new KnownOfWords(hintsOf);
  readonly #places: Places = {
    count: 0,
    starts: [],
    ends: [],
    identifiers: [],
    hashes: [],
    others: [],
  };

  /** The number of words that have a number, which are those from 0. */
  get size(): number {
    return this.#words.length;
  }

  /** The word of a number. */
  word(number: number): FormsOfTerm {
    const found = this.#words[number];
    if (found === undefined) throw new RangeError(`there is no word ${number}`);
    return found;
  }

  /** The words that have a form. */
  having(form: string): readonly number[] {
    return this.#having[this.#forms.get(form) ?? -1] ?? [];
  }

  /** The numbers of the words' last forms, which are their stems. */
  stemsOf(words: Int32Array): Int32Array {
    const stems = new Int32Array(words.length);
    for (let at = 0; at < words.length; at += 1) stems[at] = this.#stems[words[at] ?? 0] ?? 0;
    return stems;
  }

  /** The words of an NFC text. */
  wordsOf(text: string): Int32Array {
    const places = this.#placesIn(text);
    const { count } = places;
    const { languages } = languagesAmong({
      length: count,
      havingAt: (at) => this.#functions.of(text, places, at),
      hintsAt: (at) => this.#hints.of(text, places, at),
    });
    const values = this.#valuesOf(text, places, languages);
    const isShort = count <= wordsOfShortText;
    const found: number[] = [];
    for (const value of values) {
      const size = Math.abs(value);
      if (!isShort && size % 2 === 0) continue;
      const number = (size >> 1) - 1;
      if (value > 0) found.push(number);
      else found.push(...(this.#several[number] ?? []));
    }
    const words = new Int32Array(found.length);
    words.set(found);
    return words;
  }

  /** The words of a text that are no stop words; a reference without its parts. */
  tellingWords(text: string, languages: readonly LatinLanguage[]): FormsOfTerm[] {
    const found: FormsOfTerm[] = [];
    for (const value of this.#valuesOf(text, this.#placesIn(text), languages)) {
      const size = Math.abs(value);
      if (size % 2 === 0) continue;
      const number = (size >> 1) - 1;
      const word = this.#words[value > 0 ? number : (this.#several[number]?.[0] ?? -1)];
      if (word !== undefined) found.push(word);
    }
    return found;
  }

  /** The values of words, as {@link #newValue} makes them. */
  #valuesOf(text: string, places: Places, languages: readonly LatinLanguage[]): number[] {
    const { count, hashes, others } = places;
    const known = this.#tableOf(languages);
    const values: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const hash = hashes[at] ?? 0;
      const other = others[at] ?? 0;
      let value = known.get(hash, other);
      if (value === 0) {
        value = this.#newValue(text, places, at, languages);
        known.add(hash, other, value);
      }
      values.push(value);
    }
    return values;
  }

  #tableOf(languages: readonly LatinLanguage[]): HashedWords {
    const key = languages.join(" ");
    let table = this.#byLanguages.get(key);
    if (table === undefined) {
      table = new HashedWords();
      this.#byLanguages.set(key, table);
    }
    return table;
  }

  /** Returns twice a number from 1, or 1 more for no stop word; less than 0 for several words. */
  #newValue(
    text: string,
    { starts, ends, identifiers }: Places,
    at: number,
    languages: readonly LatinLanguage[],
  ): number {
    const word = {
      text: text.slice(starts[at], ends[at]),
      isIdentifier: identifiers[at] === true,
    };
    const { words, isTelling } = formsOfWord(word, languages);
    const numbers = words.map((each) => this.#newNumber(each));
    const [number] = numbers;
    const telling = isTelling ? 1 : 0;
    if (number !== undefined && numbers.length === 1) return (number + 1) * 2 + telling;
    this.#several.push(numbers);
    return -(this.#several.length * 2 + telling);
  }

  #newNumber(word: FormsOfTerm): number {
    const number = this.#words.length;
    this.#words.push(word);
    for (const form of word.forms) this.#having[this.#formOf(form)]?.push(number);
    this.#stems.push(this.#formOf(word.forms.at(-1) ?? word.term));
    return number;
  }

  #formOf(form: string): number {
    const known = this.#forms.get(form);
    if (known !== undefined) return known;
    const number = this.#having.length;
    this.#forms.set(form, number);
    this.#having.push([]);
    return number;
  }

  #placesIn(text: string): Places {
    const places = this.#places;
    const { starts, ends, identifiers, hashes, others } = places;
    let count = 0;
    visitPlaces(text, (start, end, isIdentifier) => {
      let hash = factor;
      let other = otherFactor;
      for (let at = start; at < end; at += 1) {
        let code = text.charCodeAt(at);
        // Nothing depends on the case.
        if (code >= 0x41 && code <= 0x5a) code += 0x20;
        hash = Math.imul(hash ^ code, factor);
        other = Math.imul(other + code, otherFactor);
      }
      starts[count] = start;
      ends[count] = end;
      identifiers[count] = isIdentifier;
      hashes[count] = hash ^ (hash >>> 15);
      others[count] = other;
      count += 1;
    });
    places.count = count;
    return places;
  }
}

let current: WordNumbers | undefined;

function currentNumbers(): WordNumbers {
  if (current === undefined || current.size > wordsAtMost) current = new WordNumbers();
  return current;
}

/** Numbers the words of NFC texts; most have had a number since an earlier search. */
export function numberedTexts(texts: readonly string[]): NumberedTexts {
  const numbers = currentNumbers();
  return { texts: texts.map((text) => numbers.wordsOf(text)), numbers };
}

/** The words of a text that are no stop words; a reference without its parts. */
export function tellingWordsIn(text: string, languages: readonly LatinLanguage[]): FormsOfTerm[] {
  return currentNumbers().tellingWords(text, languages);
}
