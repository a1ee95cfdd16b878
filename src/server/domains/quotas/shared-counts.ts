import type { Promisable } from "../../kit/promisable.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import { inBackground, keptPromise } from "../../kit/background.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import type { Counted, CountedRequest, RequestCounts } from "../../kit/turns/request-counts.ts";
import type { Work } from "../../work/work.ts";
import type { MergedWrite, PlatformWork, Works } from "../../work/works.ts";
import { deleteEndedCounts, leaseUnits, type Lease } from "./count-store.ts";

/** Number of names with a window. */
const windowsAtMost = 50_000;
/** Each platform counts this part of a limit without the database: ten stay below a tenth. */
const ownPart = 100;
/** The part of a limit that one lease takes at most. */
const leasedPart = 20;
/** A platform gives back what it has not used for so long. */
const idleMs = 1_000;
/** The time between two looks at a count that has reached its limit: others may give some back. */
const fullMs = 1_000;
/** The time before another lease after a failed one. */
const awayMs = 1_000;
const cleaningIntervalMs = 60_000;
const cleaningLimit = 1_000;

/** A time window of one name, as this platform knows it. */
interface Window {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  endsAtMs: number;
  /** Requests of this platform that no lease has reported. */
  unreported: number;
  /** True if the window is that of the database's row. */
  isShared: boolean;
  /** Requests that this platform may still count, and how many it had after the last lease. */
  leased: number;
  lastLease: number;
  /** The count of all platforms at the last lease, with what they have leased. */
  taken: number;
  /** Requests that wait for a lease. */
  waiting: number;
  leasing: Promise<void> | undefined;
  fullUntilMs: number;
  usedAtMs: number;
}

/**
 * Counts requests together with the other platforms of a PostgreSQL database. The row of a name has
 * the count of its window, of which each platform leases a small share in the background: most
 * requests need no round trip. Close to the limit the shares shrink, and requests wait for them.
 */
export class SharedCounts implements RequestCounts {
  readonly #windows = new RecentMap<string, Window>(windowsAtMost);
  readonly #leased = new Set<Window>();
  readonly #work: Work;
  readonly #lease: MergedWrite<Lease>;
  /** Requests pass without a lease until then, because the database has not answered. */
  #awayUntilMs = 0;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly merged: Works["merged"];
      readonly now: () => Date;
      readonly logger: Logger;
      readonly lifetime: Lifetime;
    },
  ) {
    this.#work = parts.platformWork("counts of requests of all platforms");
    this.#lease = parts.merged(leaseUnits(parts.now));
    parts.lifetime.every(idleMs, "counts-not-given-back", () => this.#giveBack());
    parts.lifetime.every(cleaningIntervalMs, "counts-cleaning-failed", () => this.#clean());
  }

  count(name: string, request: CountedRequest): Promisable<Counted> {
    const window = this.#windowOf(name, request);
    const { cost, nowMs } = request;
    if (this.#take(window, cost, nowMs)) return counted(window, nowMs);
    if (nowMs < window.fullUntilMs) return refused(window, nowMs);
    if (nowMs < this.#awayUntilMs) return counted(window, nowMs);
    return this.#takeLeased(window, cost);
  }

  #windowOf(name: string, { limit, nowMs, windowMs }: CountedRequest): Window {
    const known = this.#windows.get(name);
    if (known !== undefined && nowMs < known.endsAtMs && known.limit === limit) return known;
    const window: Window = {
      key: name,
      limit,
      windowMs,
      endsAtMs: nowMs + windowMs,
      unreported: 0,
      isShared: false,
      leased: 0,
      lastLease: 0,
      taken: 0,
      waiting: 0,
      leasing: undefined,
      fullUntilMs: 0,
      usedAtMs: nowMs,
    };
    this.#windows.set(name, window);
    return window;
  }

  /** Counts a request without the database, if this platform may. */
  #take(window: Window, cost: number, nowMs: number): boolean {
    const own = Math.floor(window.limit / ownPart);
    if (!window.isShared && window.unreported + cost <= own) {
      window.unreported += cost;
      // The next lease is under way before it is needed.
      if (window.unreported * 6 > own * 5) this.#leaseInBackground(window);
      return true;
    }
    if (window.leased < cost) return false;
    window.leased -= cost;
    window.usedAtMs = nowMs;
    if (window.leased * 2 <= window.lastLease) this.#leaseInBackground(window);
    return true;
  }

  /** Counts a request with the next lease; those that wait share it. */
  async #takeLeased(window: Window, cost: number): Promise<Counted> {
    window.waiting += cost;
    try {
      for (;;) {
        try {
          await (window.leasing ?? this.#leaseNow(window));
        } catch {
          // The request fails at its own statements while the database is away.
          return counted(window, this.#nowMs());
        }
        const nowMs = this.#nowMs();
        if (window.leased >= cost) {
          window.leased -= cost;
          window.usedAtMs = nowMs;
          return counted(window, nowMs);
        }
        if (nowMs < window.fullUntilMs) return refused(window, nowMs);
      }
    } finally {
      window.waiting -= cost;
    }
  }

  #leaseInBackground(window: Window): void {
    const nowMs = this.#nowMs();
    if (window.leasing !== undefined || nowMs < window.fullUntilMs) return;
    if (nowMs < this.#awayUntilMs) return;
    inBackground(this.parts.logger, "counts-not-leased", () => this.#leaseNow(window));
  }

  #leaseNow(window: Window): Promise<void> {
    const { limit, unreported, waiting } = window;
    const wanted = Math.max(1, Math.floor(limit / leasedPart));
    const asked = this.#ask(window, { used: unreported, needed: waiting, wanted });
    window.leasing = keptPromise(
      asked.finally(() => {
        window.leasing = undefined;
      }),
    );
    return window.leasing;
  }

  async #ask(window: Window, ask: Pick<Lease, "used" | "needed" | "wanted">): Promise<void> {
    const lease: Lease = {
      ...ask,
      // The names of callers are not stored.
      name: Bun.CryptoHasher.hash("sha256", window.key, "base64url"),
      upper: window.limit,
      leftMs: Math.max(1, window.endsAtMs - this.#nowMs()),
    };
    try {
      await this.#lease(this.#work, () => lease);
    } catch (error) {
      this.#awayUntilMs = this.#nowMs() + awayMs;
      throw error;
    }
    const { granted = 0, taken = 0, leftMs = 0 } = lease.result ?? {};
    const nowMs = this.#nowMs();
    window.unreported -= Math.max(0, ask.used);
    window.isShared = true;
    window.leased += granted;
    window.lastLease = window.leased;
    window.taken = taken;
    window.endsAtMs = nowMs + leftMs;
    if (granted < ask.needed || taken >= window.limit) {
      window.fullUntilMs = Math.min(nowMs + fullMs, window.endsAtMs);
    }
    if (window.leased > 0) this.#leased.add(window);
  }

  /** Gives back what was leased and not used, so that other platforms can count it. */
  async #giveBack(): Promise<void> {
    const nowMs = this.#nowMs();
    const returned: Promise<void>[] = [];
    for (const window of this.#leased) {
      const isOver = nowMs >= window.endsAtMs;
      if (!isOver && (nowMs - window.usedAtMs < idleMs || window.leasing !== undefined)) continue;
      this.#leased.delete(window);
      const kept = Math.max(1, Math.floor(window.limit / ownPart));
      const rest = window.leased - kept;
      if (isOver || rest <= 0) continue;
      window.leased = kept;
      returned.push(this.#ask(window, { used: -rest, needed: 0, wanted: 0 }));
    }
    await Promise.all(returned);
  }

  async #clean(): Promise<void> {
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.#work.write((tx) =>
        deleteEndedCounts(tx, this.parts.now(), cleaningLimit),
      );
    }
  }

  #nowMs(): number {
    return this.parts.now().getTime();
  }
}

function counted(window: Window, nowMs: number): Counted {
  const { taken, leased, unreported, limit } = window;
  const count = Math.min(limit, taken - leased + unreported);
  return { count, leftMs: window.endsAtMs - nowMs };
}

function refused({ limit, endsAtMs }: Window, nowMs: number): Counted {
  return { count: limit + 1, leftMs: endsAtMs - nowMs };
}
