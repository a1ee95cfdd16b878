/** Number of callers with a window, in 192 KiB. */
const defaultPlaces = 16_384;
/** Places to look at for one caller. If all are taken, the window that ends first is replaced. */
const probes = 8;
/** Cells of a place: the caller's hash, the window's end, the number of requests. */
const width = 3;
/** The first cell is a random seed of the hashes, so that no caller can aim at a place. */
const header = 1;
const unitMs = 100;

/**
 * Counts each caller's requests per time window, in memory that a platform's threads share. Times
 * are units of 100 ms modulo 2^32, compared by difference. Two threads that begin a window at the
 * same moment may lose a few counts.
 */
export class RateWindows {
  readonly #cells: Int32Array;
  readonly #places: number;

  /** Shares the windows in `memory`, or makes new ones for `places` callers. */
  constructor(options: { readonly places?: number; readonly memory?: SharedArrayBuffer } = {}) {
    const { places = defaultPlaces, memory } = options;
    const size = (header + places * width) * Int32Array.BYTES_PER_ELEMENT;
    this.#cells = new Int32Array(memory ?? new SharedArrayBuffer(size));
    this.#places = (this.#cells.length - header) / width;
    if (memory === undefined) this.#cells[0] = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;
  }

  get memory(): SharedArrayBuffer {
    const { buffer } = this.#cells;
    if (buffer instanceof SharedArrayBuffer) return buffer;
    throw new TypeError("these windows are not in shared memory");
  }

  /** Counts `cost` requests; returns the caller's count and the window's remaining time. */
  count(
    caller: string,
    { cost, nowMs, windowMs }: { cost: number; nowMs: number; windowMs: number },
  ): { readonly count: number; readonly leftMs: number } {
    const now = Math.floor(nowMs / unitMs) | 0;
    const endsAt = (now + Math.ceil(windowMs / unitMs)) | 0;
    const place = this.#placeOf(caller, now);
    const cells = this.#cells;
    const before = Atomics.load(cells, place + 1);
    if (unitsLeft(before, now) <= 0) {
      const found = Atomics.compareExchange(cells, place + 1, before, endsAt);
      if (found === before) Atomics.store(cells, place + 2, 0);
    }
    const count = Atomics.add(cells, place + 2, cost) + cost;
    const left = unitsLeft(Atomics.load(cells, place + 1), now);
    return { count, leftMs: left * unitMs - (nowMs % unitMs) };
  }

  /** The first cell of the caller's place; takes a place for a new caller. */
  #placeOf(caller: string, now: number): number {
    const cells = this.#cells;
    // 0 marks a free place.
    const name = Bun.hash.xxHash32(caller, cells[0] ?? 0) | 0 || 1;
    const first = (name >>> 0) % this.#places;
    let taken = -1;
    let leastLeft = Number.POSITIVE_INFINITY;
    for (let probe = 0; probe < Math.min(probes, this.#places); probe += 1) {
      const place = header + ((first + probe) % this.#places) * width;
      const holder = Atomics.load(cells, place);
      if (holder === name) return place;
      const left = holder === 0 ? 0 : Math.max(0, unitsLeft(Atomics.load(cells, place + 1), now));
      if (left < leastLeft) [taken, leastLeft] = [place, left];
    }
    Atomics.store(cells, taken, name);
    // An ended window: the next count begins a new one.
    Atomics.store(cells, taken + 1, now);
    return taken;
  }
}

function unitsLeft(endsAt: number, now: number): number {
  return (endsAt - now) | 0;
}
