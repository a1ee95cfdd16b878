import { findWords, isStopWord, stem } from "../terms/find-words.ts";
import { findTerms, unaccented } from "../terms/terms.ts";

/** A sparse vector: features by their hash in ascending order, with their values. */
export interface Features {
  readonly ids: Uint32Array;
  readonly values: Float32Array;
}

/**
 * The way in which a text becomes features. Models store it, because weights fit one way only:
 * models of form 1 were trained before stop words and sequences of 3 and 5 letters counted.
 */
export type FeatureForm = 1 | 2;
export const currentForm: FeatureForm = 2;

/** Only the beginning of a text is classified, in code units. */
export const charactersClassified = 6_000;

const hashBits = 20;
const hashMask = (1 << hashBits) - 1;
/** Letter sequences come from the beginning of a longer word. */
const longestWord = 24;
/** Later words of a long text count without their letter sequences. */
const wordsWithGrams = 250;
const shortestGram = 3;
const longestGram = 5;
/** Ids of letter sequences begin here; those of words and pairs are lower. */
const firstGram = hashMask + 1;
/** Stop words distinguish short questions, but say less than other words. */
const stopWordWeight = 0.7;

/**
 * Counts words, pairs of words and sequences of three to five letters, each hashed to 20 bits.
 * Numbers count as one word. A count weighs `1 + ln(count)`.
 */
export function featuresOf(text: string, form: FeatureForm = currentForm): Features {
  const beginning = text.slice(0, charactersClassified).normalize("NFC");
  if (form === 1) return featuresOfForm1(beginning);
  const counts = new Map<number, number>();
  let before = "";
  for (const [at, { text: written }] of findWords(beginning).entries()) {
    const word = unaccented(written.toLowerCase());
    if (word === "") continue;
    const isNumber = /\p{N}/u.test(word);
    const weight = isStopWord(word) ? stopWordWeight : 1;
    const base = isNumber ? "#" : stem(word);
    add(counts, hash(`w${base}`), weight);
    add(counts, hash(`p${before} ${base}`), 1);
    before = base;
    if (isNumber || at >= wordsWithGrams) continue;
    const letters = `_${word.slice(0, longestWord)}_`;
    for (let length = shortestGram; length <= longestGram; length += 1) {
      for (let from = 0; from + length <= letters.length; from += 1) {
        add(counts, firstGram + hash(`g${letters.slice(from, from + length)}`), weight);
      }
    }
  }
  if (before !== "") add(counts, hash(`p${before} `), 1);
  return vectorOf(counts, (count) => (count <= 1 ? count : 1 + Math.log(count)));
}

/** A single block of words without stop words, their pairs, and sequences of four letters. */
function featuresOfForm1(beginning: string): Features {
  const counts = new Map<number, number>();
  const grams = new Map<number, number>();
  let before = "";
  for (const { term } of findTerms(beginning)) {
    if (/\p{N}/u.test(term)) {
      before = "#";
      continue;
    }
    add(counts, hash(`w${term}`), 1);
    if (before !== "") add(counts, hash(`p${before} ${term}`), 1);
    before = term;
    const letters = `_${term.slice(0, longestWord)}_`;
    for (let at = 0; at + 4 <= letters.length; at += 1) {
      add(grams, hash(`g${letters.slice(at, at + 4)}`), 1);
    }
  }
  const weights = new Map([...counts].map(([id, count]) => [id, 1 + Math.log(count)]));
  for (const [id, count] of grams) add(weights, id, 0.5 * (1 + Math.log(count)));
  return vectorOf(weights, (weight) => weight);
}

function add(counts: Map<number, number>, id: number, count: number): void {
  counts.set(id, (counts.get(id) ?? 0) + count);
}

function vectorOf(counts: ReadonlyMap<number, number>, valueOf: (count: number) => number) {
  const ids = Uint32Array.from(counts.keys()).toSorted();
  return { ids, values: Float32Array.from(ids, (id) => valueOf(counts.get(id) ?? 0)) };
}

/** FNV-1a, folded to the number of features. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return ((value >>> hashBits) ^ value) & hashMask;
}

/**
 * The vector with its values multiplied by the weights of its features. The words have the same
 * length as the letter sequences, and the whole has length 1.
 */
export function normalized({ ids, values }: Features, weightOf: (id: number) => number): Features {
  const weighted = values.map((value, at) => value * weightOf(ids[at] ?? 0));
  const squares = [0, 0];
  weighted.forEach((value, at) => {
    const block = blockOf(ids[at] ?? 0);
    squares[block] = (squares[block] ?? 0) + value * value;
  });
  const blocks = squares.filter((each) => each > 0).length;
  const lengths = squares.map((each) => Math.sqrt(each * blocks));
  return {
    ids,
    values: weighted.map((value, at) => value / (lengths[blockOf(ids[at] ?? 0)] || 1)),
  };
}

function blockOf(id: number): number {
  return id < firstGram ? 0 : 1;
}
