/** What is known about the line to the platform, from the attempts that were made anyway. */
export interface Connection {
  /** `degraded`: the platform answers that it can't work, its database down or a proxy before it. */
  readonly state: "connecting" | "live" | "waiting" | "degraded" | "offline";
  /** Typical milliseconds of an answer; steady, so that an idle screen stays still. */
  readonly latencyMs: number | undefined;
  /** While `waiting`: how long the oldest question has had no answer. */
  readonly waitedMs?: number;
}

export interface Attempt {
  readonly status?: number | undefined;
  readonly durationMs: number;
}

/** Bad gateway and service unavailable (RFC 9110, 15.6.3 and 15.6.4). */
const downStatuses: ReadonlySet<number> = new Set([502, 503]);
const samples = 9;
const noticeableFactor = 1.5;
const noticeableMs = 5;
/** An answer that takes longer is waited for in sight. */
const longMs = 2_000;
const countedMs = 1_000;

/** Whether there is something to try again now and then until it is over. */
export function isDown({ state }: Connection): boolean {
  return state === "offline" || state === "degraded";
}

/** Follows the attempts of a client; tells listeners only what is worth a new frame. */
export class ConnectionMeter {
  readonly #listeners = new Set<() => void>();
  #recent: number[] = [];
  #connection: Connection = { state: "connecting", latencyMs: undefined };
  /** When each question was sent that has no answer yet, oldest first. */
  readonly #sentAtMs = new Map<symbol, number>();
  #clock: ReturnType<typeof setTimeout> | undefined;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  connection = (): Connection => this.#connection;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A question has been sent; what it gives back is to be called when that has ended. */
  sent = (): (() => void) => {
    const id = Symbol("sent");
    this.#sentAtMs.set(id, this.#now());
    this.#watch();
    return () => {
      this.#sentAtMs.delete(id);
      // Given up without an answer: nothing new is known of the line.
      if (this.#connection.state === "waiting" && this.#waitedMs() < longMs) this.#answered();
    };
  };

  /** An attempt with no status got no answer at all. */
  record(attempt: Attempt): void {
    if (attempt.status === undefined) {
      this.#recent = [];
      this.#set({ state: "offline", latencyMs: undefined });
      return;
    }
    if (downStatuses.has(attempt.status)) {
      this.#recent = [];
      this.#set({ state: "degraded", latencyMs: undefined });
      return;
    }
    this.#recent = [...this.#recent, attempt.durationMs].slice(-samples);
    // Others may be answered while one is still waited for.
    if (this.#connection.state !== "waiting" || this.#waitedMs() < longMs) this.#answered();
  }

  /** What the latest answers say of the line. */
  #answered(): void {
    if (this.#recent.length === 0) {
      this.#set({ state: "connecting", latencyMs: undefined });
      return;
    }
    const sorted = this.#recent.toSorted((a, b) => a - b);
    const median = Math.max(1, Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0));
    const shown = this.#connection.latencyMs;
    const far =
      shown === undefined ||
      (Math.abs(median - shown) > noticeableMs &&
        (median > shown * noticeableFactor || median < shown / noticeableFactor));
    this.#set({ state: "live", latencyMs: far ? median : shown });
  }

  /** Another platform: nothing is known any more. */
  reset(): void {
    this.#recent = [];
    this.#set({ state: "connecting", latencyMs: undefined });
  }

  #waitedMs(): number {
    const [oldest] = this.#sentAtMs.values();
    return oldest === undefined ? 0 : this.#now() - oldest;
  }

  /** Looks at the oldest question again when it has become old, then each second. */
  #watch(): void {
    if (this.#clock !== undefined || this.#sentAtMs.size === 0) return;
    const waitedMs = this.#waitedMs();
    const inMs = waitedMs < longMs ? longMs - waitedMs : countedMs;
    this.#clock = setTimeout(() => {
      this.#clock = undefined;
      this.look();
      this.#watch();
    }, inMs);
    this.#clock.unref();
  }

  /** Says that an answer is long in coming. One that does not answer at all is offline already. */
  look(): void {
    const waitedMs = this.#waitedMs();
    if (waitedMs < longMs || isDown(this.#connection)) return;
    this.#set({ state: "waiting", latencyMs: undefined, waitedMs });
  }

  #set(next: Connection): void {
    const { state, latencyMs, waitedMs } = this.#connection;
    const isSame = next.state === state && next.latencyMs === latencyMs;
    if (isSame && next.waitedMs === waitedMs) return;
    this.#connection = next;
    for (const listener of this.#listeners) listener();
  }
}
