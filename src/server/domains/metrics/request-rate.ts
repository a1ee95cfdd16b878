const minuteMs = 60_000;
/** Looks at the count of requests in a minute. */
const looks = 6;

interface Look {
  readonly atMs: number;
  readonly requests: number;
}

/** The time between two looks, in milliseconds. */
export const rateLookMs: number = minuteMs / looks;

/** The rate of requests, from looks at the number of all that were answered so far. */
export class RequestRate {
  readonly #answered: () => number;
  readonly #nowMs: () => number;
  #looks: readonly Look[] = [];

  constructor(answered: () => number, nowMs: () => number) {
    this.#answered = answered;
    this.#nowMs = nowMs;
    this.look();
  }

  look(): void {
    const look = { atMs: this.#nowMs(), requests: this.#answered() };
    this.#looks = [...this.#looks, look].slice(-(looks + 1));
  }

  /** Requests per minute since the oldest kept look; undefined for less than a second. */
  perMinute(): number | undefined {
    const [oldest] = this.#looks;
    if (oldest === undefined) return undefined;
    const passedMs = this.#nowMs() - oldest.atMs;
    if (passedMs < 1_000) return undefined;
    return Math.round(((this.#answered() - oldest.requests) * minuteMs) / passedMs);
  }
}
