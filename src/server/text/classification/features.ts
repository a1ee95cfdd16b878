import { findTerms } from "../terms/terms.ts";

/** A sparse vector: features by their hash in ascending order, with their values. */
export interface Features {
  readonly ids: Uint32Array;
  readonly values: Float32Array;
}

/** Only the beginning of a text is classified, in code units. */
export const charactersClassified = 6_000;

const hashBits = 20;
const hashMask = (1 << hashBits) - 1;
const gramLength = 4;
/** Letter sequences come from the beginning of a longer word. */
const longestWord = 24;
/** The weight of letter sequences against words, which say more. */
const gramWeight = 0.5;

/**
 * Counts words, pairs of words and sequences of four letters, hashed to 20 bits. Numbers and
 * references do not depend on the kind of a text. A count weighs `1 + ln(count)`.
 */
export function featuresOf(text: string): Features {
  const counts = new Map<number, number>();
  const grams = new Map<number, number>();
  let before = "";
  for (const { term: stem } of findTerms(text.slice(0, charactersClassified))) {
    if (/\p{N}/u.test(stem)) {
      before = "#";
      continue;
    }
    add(counts, hash(`w${stem}`));
    if (before !== "") add(counts, hash(`p${before} ${stem}`));
    before = stem;
    const letters = `_${stem.slice(0, longestWord)}_`;
    for (let at = 0; at + gramLength <= letters.length; at += 1) {
      add(grams, hash(`g${letters.slice(at, at + gramLength)}`));
    }
  }
  const weights = new Map<number, number>();
  weigh(counts, 1, weights);
  weigh(grams, gramWeight, weights);
  const ids = Uint32Array.from(weights.keys()).toSorted();
  return { ids, values: Float32Array.from(ids, (id) => weights.get(id) ?? 0) };
}

function add(counts: Map<number, number>, id: number): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

function weigh(
  counts: ReadonlyMap<number, number>,
  weight: number,
  into: Map<number, number>,
): void {
  for (const [id, count] of counts) {
    into.set(id, (into.get(id) ?? 0) + weight * (1 + Math.log(count)));
  }
}

/** FNV-1a, folded to the number of features. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return ((value >>> hashBits) ^ value) & hashMask;
}

/** The vector of length 1 with its values multiplied by the weights of its features. */
export function normalized({ ids, values }: Features, weightOf: (id: number) => number): Features {
  const weighted = values.map((value, at) => value * weightOf(ids[at] ?? 0));
  let squares = 0;
  for (const value of weighted) squares += value * value;
  const length = Math.sqrt(squares);
  return { ids, values: length === 0 ? weighted : weighted.map((value) => value / length) };
}
