import type { Reader } from "../database/database.ts";
import { raw } from "../database/statement.ts";
import type { Lifetime } from "../kit/lifetime.ts";

const measureIntervalMs = 10_000;
/** A smaller difference is that of the measurement. */
const noticedMs = 100;

const databaseTime = raw("select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms");

/**
 * The time of a platform. On PostgreSQL it is that of the database server, so that the leases,
 * tokens and deadlines of platforms whose clocks differ agree.
 */
export class DatabaseClock {
  #aheadMs = 0;

  /** `now` is this machine's time as the platform takes it, `systemMs` that of its clock. */
  constructor(
    private readonly parts: {
      readonly now?: (() => Date) | undefined;
      readonly systemMs?: (() => number) | undefined;
    },
  ) {}

  readonly now = (): Date => {
    const ownMs = this.parts.now?.().getTime() ?? this.#systemMs();
    return new Date(ownMs + this.#aheadMs);
  };

  /** Measures the difference of the two clocks now, and every 10 s until the close. */
  async follow(reader: Reader, lifetime: Pick<Lifetime, "every">): Promise<void> {
    if (reader.dialect === "sqlite") return;
    await this.#measure(reader);
    lifetime.every(measureIntervalMs, "clock-not-measured", () => this.#measure(reader));
  }

  async #measure(reader: Reader): Promise<void> {
    const beganMs = performance.now();
    const row = await reader.first<{ ms: number }>(databaseTime);
    const tookMs = performance.now() - beganMs;
    const aheadMs = (row?.ms ?? 0) - (this.#systemMs() - tookMs / 2);
    this.#aheadMs = Math.abs(aheadMs) > noticedMs + tookMs / 2 ? aheadMs : 0;
  }

  #systemMs(): number {
    return this.parts.systemMs?.() ?? Date.now();
  }
}
