/** A sparse vector of unit length: its places in ascending order, and their values. */
export interface Vector {
  readonly places: Uint16Array;
  readonly values: Float32Array;
}

/** Makes vectors of words; similar words have near vectors. Responses report its name. */
export interface Embedder {
  readonly name: string;
  embed(word: string): Vector;
}

const dimensions = 1024;

/** Hashes pairs and triples of letters into 1,024 places: compares spelling, not meaning. */
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

/** Marks both ends of a word. */
const edge = 0x5f;

/** Adds a letter to a hash (Murmur's finish). */
function mixed(hash: number, letter: number): number {
  let next = Math.imul(hash ^ (letter + 0x9e37), 0x85ebca6b);
  next = Math.imul(next ^ (next >>> 13), 0xc2b2ae35);
  return (next ^ (next >>> 16)) >>> 0;
}

/** The vector of ordered places; each repetition of a place counts. */
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

/** The different triples of a word's letters, which find similar words. */
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
