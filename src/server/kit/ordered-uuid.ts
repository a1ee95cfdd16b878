/** 2020-01-01: with it, numbers fit a double until 2089. */
const epochMs = 1_577_836_800_000;
const numbersPerMs = 4096;
/** Parts of the numbers of a millisecond: 64 platforms may each make 64 ids in one. */
const shares = 64;
/** The last time of a clock; the ids after it still have the numbers of one day. */
const lastMs = epochMs + Number.MAX_SAFE_INTEGER / numbersPerMs - 86_400_000;

/**
 * Makes UUIDv7 in the order of the calls, also within one millisecond and after the clock was set
 * back (RFC 9562, 6.2 method 3: the 12 bits after the milliseconds count, and may run ahead of the
 * clock). The runtime's own generator does not share its counter with other threads. Only SQLite
 * has such threads: a share of the numbers, for platforms on PostgreSQL, holds for one thread.
 */
export class OrderedUuids {
  readonly #last: BigInt64Array;
  /** The numbers that this generator may give: those with this rest. */
  #share = 0;
  #shares = 1;
  /** The end of the lease of the share, by both clocks: a pause may stop one of them. */
  #lease: ShareLease | undefined;

  /** Random numbers for further ids: two of them alone take as long as all of these. */
  readonly #random = new Uint32Array(256);
  #randomUsed = this.#random.length;
  #time = { ms: 0, text: "" };

  /** With the memory of another thread's generator, no two of them give the same number. */
  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.#last = new BigInt64Array(memory);
  }

  /** All ids from now on have larger numbers than this. */
  begin(after: number): void {
    this.#take(after);
  }

  /** Leaves all numbers to others but those that each platform without a lease may give. */
  useCommonShare(): void {
    [this.#share, this.#shares, this.#lease] = [0, shares, undefined];
  }

  /** Gives only numbers of this share, which is from 1 to 63, until its lease ends. */
  useShare(share: number, lease: ShareLease): void {
    [this.#share, this.#shares, this.#lease] = [share, shares, lease];
  }

  next(at: Date): string {
    const lease = this.#lease;
    if (lease !== undefined && (Date.now() > lease.untilMs || performance.now() > lease.until)) {
      this.useCommonShare();
    }
    const high = this.#nextRandom();
    const low = this.#nextRandom();
    const ms = Math.min(Math.max(at.getTime(), epochMs + 1), lastMs);
    const number = this.#take((ms - epochMs) * numbersPerMs);
    const time = this.#timeOf(Math.floor(number / numbersPerMs) + epochMs);
    const first = hex(0x7000 + (number % numbersPerMs), 4);
    const second = hex(0x8000 + (high >>> 18), 4);
    const rest = `${hex(high & 0xffff, 4)}${hex(low, 8)}`;
    return `${time}-${first}-${second}-${rest}`;
  }

  /** The begin of the ids of a millisecond: many follow each other in one. */
  #timeOf(ms: number): string {
    if (this.#time.ms !== ms) {
      const time = hex(ms, 12);
      this.#time = { ms, text: `${time.slice(0, 8)}-${time.slice(8)}` };
    }
    return this.#time.text;
  }

  #nextRandom(): number {
    if (this.#randomUsed === this.#random.length) {
      crypto.getRandomValues(this.#random);
      this.#randomUsed = 0;
    }
    const value = this.#random[this.#randomUsed] ?? 0;
    this.#randomUsed += 1;
    return value;
  }

  /** The number, or the next one after the last where that is larger, in the own share. */
  #take(least: number): number {
    for (let last = Atomics.load(this.#last, 0); ;) {
      const next = Math.max(least, Number(last) + 1);
      const rest = next % this.#shares;
      const number = next - rest + this.#share + (rest > this.#share ? this.#shares : 0);
      const before = Atomics.compareExchange(this.#last, 0, last, BigInt(number));
      if (before === last) return number;
      last = before;
    }
  }
}

/** When a lease ends: by the system's clock, and by that of `performance`. */
export interface ShareLease {
  readonly untilMs: number;
  readonly until: number;
}

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * The milliseconds and the next 12 bits of a UUIDv7 in canonical form, as a positive number in the
 * ids' order. Zero for any other text, and for a time outside the generator's range.
 */
export function uuidNumber(id: string): number {
  if (!pattern.test(id)) return 0;
  const high = Number.parseInt(id.slice(0, 8), 16);
  const ms = high * 0x1_0000 + Number.parseInt(id.slice(9, 13), 16) - epochMs;
  const number = ms * numbersPerMs + Number.parseInt(id.slice(15, 18), 16);
  return number > 0 && number <= Number.MAX_SAFE_INTEGER ? number : 0;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
