/** Callers that are counted at once, in 192 KiB. */
const defaultPlaces = 16_384;
/** Places that one caller may have: when others hold them all, the one that ends first is taken. */
const probes = 8;
/** Of a place: who it is, until when, and how many requests. */
const width = 3;
/** Before the first place: what callers' names are digested with, so that nobody can aim at one. */
const header = 1;
const tickMs = 100;

/**
 * Requests of each caller in its window of time, in memory that the threads of a platform share: a
 * caller has one quota, whichever of them answers it. Times are ticks modulo 2^32, compared by their
 * difference. Two threads that begin one window at the same moment may lose some requests' count.
 */
export class RateWindows {
  readonly #cells: Int32Array;
  readonly #places: number;

  /** `memory` of other windows shares them; new ones have room for `places` callers. */
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

  /** Counts `cost` requests of a caller; how many there are by now, and how long the window lasts. */
  count(
    caller: string,
    { cost, nowMs, windowMs }: { cost: number; nowMs: number; windowMs: number },
  ): { readonly count: number; readonly leftMs: number } {
    const now = Math.floor(nowMs / tickMs) | 0;
    const endsAt = (now + Math.ceil(windowMs / tickMs)) | 0;
    const place = this.#placeOf(caller, now);
    const cells = this.#cells;
    const before = Atomics.load(cells, place + 1);
    if (ticksLeft(before, now) <= 0) {
      const found = Atomics.compareExchange(cells, place + 1, before, endsAt);
      if (found === before) Atomics.store(cells, place + 2, 0);
    }
    const count = Atomics.add(cells, place + 2, cost) + cost;
    const left = ticksLeft(Atomics.load(cells, place + 1), now);
    return { count, leftMs: left * tickMs - (nowMs % tickMs) };
  }

  /** The first cell of the caller's place, which is its own from now on. */
  #placeOf(caller: string, now: number): number {
    const cells = this.#cells;
    // 0 is a place that nobody has.
    const name = Bun.hash.xxHash32(caller, cells[0] ?? 0) | 0 || 1;
    const first = (name >>> 0) % this.#places;
    let taken = -1;
    let leastLeft = Number.POSITIVE_INFINITY;
    for (let probe = 0; probe < Math.min(probes, this.#places); probe += 1) {
      const place = header + ((first + probe) % this.#places) * width;
      const holder = Atomics.load(cells, place);
      if (holder === name) return place;
      const left = holder === 0 ? 0 : Math.max(0, ticksLeft(Atomics.load(cells, place + 1), now));
      if (left < leastLeft) [taken, leastLeft] = [place, left];
    }
    Atomics.store(cells, taken, name);
    // A window that is over: whoever counts first begins a new one.
    Atomics.store(cells, taken + 1, now);
    return taken;
  }
}

function ticksLeft(endsAt: number, now: number): number {
  return (endsAt - now) | 0;
}
