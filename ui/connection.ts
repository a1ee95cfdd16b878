/** What is known about the line to the platform, from the attempts that were made anyway. */
export interface Connection {
  readonly state: "connecting" | "live" | "offline";
  /** Typical milliseconds of an answer; steady, so that an idle screen stays still. */
  readonly latencyMs: number | undefined;
}

export interface Attempt {
  readonly status?: number | undefined;
  readonly durationMs: number;
}

const samples = 9;
const noticeableFactor = 1.5;
const noticeableMs = 5;

/** Follows the attempts of a client; tells listeners only what is worth a new frame. */
export class ConnectionMeter {
  readonly #listeners = new Set<() => void>();
  #recent: number[] = [];
  #connection: Connection = { state: "connecting", latencyMs: undefined };

  connection = (): Connection => this.#connection;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** An attempt with no status got no answer at all. */
  record(attempt: Attempt): void {
    if (attempt.status === undefined) {
      this.#recent = [];
      this.#set({ state: "offline", latencyMs: undefined });
      return;
    }
    this.#recent = [...this.#recent, attempt.durationMs].slice(-samples);
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

  #set(next: Connection): void {
    const { state, latencyMs } = this.#connection;
    if (next.state === state && next.latencyMs === latencyMs) return;
    this.#connection = next;
    for (const listener of this.#listeners) listener();
  }
}
