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
    const counts = new Map<number, number>();
    for (const length of [2, 3]) {
      for (const part of partsOf(word, length)) {
        const place = Bun.hash.crc32(part) % dimensions;
        counts.set(place, (counts.get(place) ?? 0) + 1);
      }
    }
    const entries = [...counts].toSorted(([left], [right]) => left - right);
    const norm = Math.sqrt(entries.reduce((sum, [, count]) => sum + count * count, 0));
    return {
      places: Uint16Array.from(entries, ([place]) => place),
      values: Float32Array.from(entries, ([, count]) => count / norm),
    };
  },
};

/** The triples of a word's letters, each once, by which words like it are looked up. */
export function triplesOf(word: string): string[] {
  return [...new Set(partsOf(word, 3))];
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

function partsOf(word: string, length: number): string[] {
  const letters = Array.from(`_${word}_`);
  const count = Math.max(0, letters.length - length + 1);
  return Array.from({ length: count }, (_, at) => letters.slice(at, at + length).join(""));
}
