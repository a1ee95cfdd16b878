/** The state of the connection to the platform, measured from the requests of the dashboard. */
export interface Connection {
  /**
   * `degraded`: the platform or a proxy answers that it is not working, e.g. its database is down.
   */
  readonly state: "connecting" | "live" | "waiting" | "degraded" | "offline";
  /**
   * Median of the recent responses. It changes noticeably, and with a key or another state only, so
   * that an idle screen stays still.
   */
  readonly latencyMs: number | undefined;
  /** Age of the oldest open request while `waiting`. */
  readonly waitedMs?: number;
}

export interface Attempt {
  readonly status?: number | undefined;
  readonly durationMs: number;
}

/** Bad gateway and service unavailable (RFC 9110, 15.6.3 and 15.6.4). */
const downStatuses: ReadonlySet<number> = new Set([502, 503]);
const samples = 9;
const noticeableFactor = 2;
/** Latencies below this are all the same to a user. */
export const fastMs = 50;
/** An answer that takes longer is slow. */
export const slowMs = 1_000;
const longMs = 2_000;
const notImplemented = 501;
const failuresMs = 15 * 60_000;
const maximumFailures = 99;
const countedMs = 1_000;

/** Whether the platform is to be tried again periodically. */
export function isDown({ state }: Connection): boolean {
  return state === "offline" || state === "degraded";
}

/** Measures the attempts of a client, and notifies listeners of changes that need a new frame. */
export class ConnectionMeter {
  readonly #listeners = new Set<() => void>();
  #recent: number[] = [];
  /** The times of the last failed attempts. */
  #failedAtMs: number[] = [];
  #connection: Connection = { state: "connecting", latencyMs: undefined };
  /** A latency to show with the next key. */
  #nextMs: number | undefined;
  #watchInput: ((listener: () => void) => () => void) | undefined;
  #endWatch: (() => void) | undefined;
  /** Start times of the open requests, oldest first. */
  readonly #sentAtMs = new Map<symbol, number>();
  #clock: ReturnType<typeof setTimeout> | undefined;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get = (): Connection => this.#connection;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Shows new latencies with the next key of this input; returns a function that ends it. */
  showWith(watchInput: (listener: () => void) => () => void): () => void {
    this.#watchInput = watchInput;
    return () => {
      this.#watchInput = undefined;
      this.#showNext(undefined);
    };
  }

  #showNext(latencyMs: number | undefined): void {
    this.#nextMs = latencyMs;
    if (latencyMs !== undefined) this.#endWatch ??= this.#watchInput?.(this.show);
    else {
      this.#endWatch?.();
      this.#endWatch = undefined;
    }
  }

  /** Reports a sent request; the returned function reports its end. */
  sent = (): (() => void) => {
    const id = Symbol("sent");
    this.#sentAtMs.set(id, this.#now());
    this.#watch();
    return () => {
      this.#sentAtMs.delete(id);
      // The slow request was aborted: the state is that of the responses before it.
      if (this.#connection.state === "waiting" && this.#waitedMs() < longMs) this.#answered();
    };
  };

  /** The last durations, oldest first, and at most 99 failed attempts of the last 15 minutes. */
  figures(): { readonly recentMs: readonly number[]; readonly failures: number } {
    const since = this.#now() - failuresMs;
    const failures = this.#failedAtMs.filter((at) => at >= since).length;
    return { recentMs: this.#recent, failures };
  }

  record(attempt: Attempt): void {
    const { status, durationMs } = attempt;
    // A deployment may answer 501 for a route that it does not have.
    if (status === undefined || (status >= 500 && status !== notImplemented)) {
      this.#failedAtMs = [...this.#failedAtMs, this.#now()].slice(-maximumFailures);
    }
    if (status === undefined || downStatuses.has(status)) {
      return this.reset(status === undefined ? "offline" : "degraded");
    }
    this.#recent = [...this.#recent, durationMs].slice(-samples);
    // Another request may still be waiting.
    if (this.#connection.state !== "waiting" || this.#waitedMs() < longMs) this.#answered();
  }

  /** Forgets the responses so far, as after a change of the platform. */
  reset(state: Connection["state"] = "connecting"): void {
    this.#recent = [];
    // Failures of the former platform are none of the next one.
    if (state === "connecting") this.#failedAtMs = [];
    this.#set({ state, latencyMs: undefined });
  }

  #answered(): void {
    if (this.#recent.length === 0) return this.#set({ state: "connecting", latencyMs: undefined });
    const sorted = this.#recent.toSorted((a, b) => a - b);
    const median = Math.max(1, Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0));
    const shown = this.#connection.latencyMs;
    const isNoticeable =
      shown === undefined ||
      (Math.max(median, shown) >= fastMs &&
        (median > shown * noticeableFactor || median < shown / noticeableFactor));
    const isOther = this.#connection.state !== "live" || shown === undefined;
    if (isOther || median >= slowMs !== shown >= slowMs) {
      return this.#set({ state: "live", latencyMs: isNoticeable ? median : shown });
    }
    this.#showNext(isNoticeable ? median : undefined);
  }

  /** Shows the latency that was measured since the last change; a key calls it. */
  show = (): void => {
    if (this.#nextMs !== undefined && this.#connection.state === "live") {
      this.#set({ state: "live", latencyMs: this.#nextMs });
    }
  };

  #waitedMs(): number {
    const [oldest] = this.#sentAtMs.values();
    return oldest === undefined ? 0 : this.#now() - oldest;
  }

  /** Checks the oldest open request once it is old, then each second. */
  #watch(): void {
    if (this.#clock !== undefined || this.#sentAtMs.size === 0) return;
    const waitedMs = this.#waitedMs();
    const inMs = waitedMs < longMs ? longMs - waitedMs : countedMs;
    this.#clock = setTimeout(() => {
      this.#clock = undefined;
      this.checkWait();
      this.#watch();
    }, inMs);
    this.#clock.unref();
  }

  /** Changes the state to `waiting` when the oldest request is old, unless the platform is down. */
  checkWait(): void {
    const waitedMs = this.#waitedMs();
    if (waitedMs < longMs || isDown(this.#connection)) return;
    this.#set({ state: "waiting", latencyMs: undefined, waitedMs });
  }

  #set(next: Connection): void {
    const { state, latencyMs, waitedMs } = this.#connection;
    this.#showNext(undefined);
    const isSame = next.state === state && next.latencyMs === latencyMs;
    if (isSame && next.waitedMs === waitedMs) return;
    this.#connection = next;
    for (const listener of this.#listeners) listener();
  }
}
