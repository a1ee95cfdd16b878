const places = 2 ** 26;
/** Entries are apart by their first 6 bits, so that a search reads few lists. */
const buckets = 64;
const hashBits = 27;
/** Entries of one sorted list; a larger one would take longer than 2 ms to sort. */
const segmentEntries = 16_384;
/** Places of one key that a search reads; later ones of a very common word are not kept. */
export const placesOfKey = 10_000;
const counters = 65_536;

interface Bucket {
  readonly segments: Float64Array[];
  added: number[];
}

/**
 * The features of a dataset by the keys of their names. A key is kept as 27 bits of its hash, so
 * that an entry has 8 bytes; about one found place in thirty has another key.
 */
export class NameTable {
  readonly #buckets = Array.from({ length: buckets }, (): Bucket => ({ segments: [], added: [] }));
  /** The entries of all keys with the same first 16 bits, up to {@link placesOfKey}. */
  readonly #counts = new Uint16Array(counters);
  /** The entries of each key since its counter is full. */
  readonly #crowded = new Map<number, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a key of the feature at a place of its dataset, unless enough features have it. */
  add(key: string, place: number): void {
    const hash = hashOf(key);
    if (this.#isEnough(hash)) return;
    const bucket = this.#bucketOf(hash);
    bucket.added.push(hash * places + place);
    this.#size += 1;
    if (bucket.added.length >= segmentEntries) settleBucket(bucket);
  }

  /** Sorts what was added, so that it is found. */
  settle(): void {
    for (const bucket of this.#buckets) settleBucket(bucket);
  }

  /** The places of up to `limit` features that may have this key. */
  find(key: string, limit: number): number[] {
    const hash = hashOf(key);
    const first = hash * places;
    const found: number[] = [];
    for (const segment of this.#bucketOf(hash).segments) {
      for (let at = lowerBound(segment, first); found.length < limit; at += 1) {
        const entry = segment[at] ?? Infinity;
        if (entry >= first + places) break;
        found.push(entry - first);
      }
    }
    return found;
  }

  #isEnough(hash: number): boolean {
    const counter = hash >>> (hashBits - Math.log2(counters));
    const count = this.#counts[counter] ?? 0;
    if (count < placesOfKey) {
      this.#counts[counter] = count + 1;
      return false;
    }
    const own = this.#crowded.get(hash) ?? 0;
    if (own >= placesOfKey) return true;
    this.#crowded.set(hash, own + 1);
    return false;
  }

  #bucketOf(hash: number): Bucket {
    const bucket = this.#buckets[hash >>> (hashBits - Math.log2(buckets))];
    if (bucket === undefined) throw new RangeError(`No list has the hash ${hash}`);
    return bucket;
  }
}

function settleBucket(bucket: Bucket): void {
  const { segments, added } = bucket;
  if (added.length === 0) return;
  const last = segments.at(-1);
  const isSmall = last !== undefined && last.length + added.length <= segmentEntries;
  if (isSmall) segments.pop();
  segments.push(Float64Array.from(isSmall ? [...last, ...added] : added).sort());
  bucket.added = [];
}

function hashOf(key: string): number {
  return Bun.hash.xxHash32(key) >>> (32 - hashBits);
}

function lowerBound(sorted: Float64Array, value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? Infinity) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
