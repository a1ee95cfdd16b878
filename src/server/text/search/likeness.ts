/** A sparse vector of unit length: its places, ascending, and what stands there. */
export interface Vector {
  readonly places: Uint16Array;
  readonly values: Float32Array;
}

/**
 * Makes vectors of words, of which near ones mean or look alike. A model may take the place of the
 * hashed ones; its name is then what an answer says under `embedding`.
 */
export interface Embedder {
  readonly name: string;
  embed(word: string): Vector;
}

const dimensions = 1024;

/**
 * Pairs and triples of a word's letters, its ends marked, hashed into 1,024 places. It needs no
 * model, is the same everywhere, and compares letters: it knows nothing of meanings.
 */
export const hashedLetters: Embedder = {
  name: "hashed",
  embed(word) {
    const codes = [edge, ...Array.from(word, (letter) => letter.codePointAt(0) ?? 0), edge];
    const places: number[] = [];
    for (let at = 1; at < codes.length; at += 1) {
      const pair = mixed(mixed(0, codes[at - 1] ?? 0), codes[at] ?? 0);
      places.push(pair % dimensions);
      const third = codes[at + 1];
      if (third !== undefined) places.push(mixed(pair, third) % dimensions);
    }
    return vectorOf(places.toSorted((left, right) => left - right));
  },
};

/** Stands before the first and behind the last letter. */
const edge = 0x5f;

/** The hash of letters and of one more (Murmur's finish). */
function mixed(hash: number, letter: number): number {
  let next = Math.imul(hash ^ (letter + 0x9e37), 0x85ebca6b);
  next = Math.imul(next ^ (next >>> 13), 0xc2b2ae35);
  return (next ^ (next >>> 16)) >>> 0;
}

/** From places in order, of which each counts as often as it stands there. */
function vectorOf(all: readonly number[]): Vector {
  const places: number[] = [];
  const counts: number[] = [];
  for (const place of all) {
    const last = places.length - 1;
    if (last >= 0 && places[last] === place) counts[last] = (counts[last] ?? 0) + 1;
    else {
      places.push(place);
      counts.push(1);
    }
  }
  const norm = Math.sqrt(counts.reduce((sum, count) => sum + count * count, 0));
  return {
    places: Uint16Array.from(places),
    values: Float32Array.from(counts, (count) => count / norm),
  };
}

/** The triples of a word's letters, each once, by which words like it are looked up. */
export function triplesOf(word: string): string[] {
  const letters = Array.from(`_${word}_`);
  const triples = letters.slice(2).map((_, at) => letters.slice(at, at + 3).join(""));
  return [...new Set(triples)];
}

/** The cosine of two vectors of unit length: 1 for the same, 0 for nothing in common. */
export function likeness(one: Vector, other: Vector): number {
  let sum = 0;
  let at = 0;
  for (let index = 0; index < one.places.length; index += 1) {
    const place = one.places[index] ?? 0;
    while (at < other.places.length && (other.places[at] ?? 0) < place) at += 1;
    if (at < other.places.length && other.places[at] === place) {
      sum += (one.values[index] ?? 0) * (other.values[at] ?? 0);
    }
  }
  return Math.min(1, sum);
}
