export interface BodyLimits {
  /** Longest sum of the waits for chunks; the reader's own time does not count. */
  readonly longestWaitMs: number;
  readonly maximumBytes: number;
  /** Additional wait for each received KiB, for bodies whose length has no other bound. */
  readonly waitMsPerKiB?: number;
}

/** The limit of one body in time and bytes: a body that drips or never ends is given up. */
export class BodyBudget {
  #bytes = 0;
  #waitedMs = 0;

  constructor(private readonly limits: BodyLimits) {}

  get remainingMs(): number {
    const { longestWaitMs, waitMsPerKiB = 0 } = this.limits;
    return Math.max(0, longestWaitMs + (this.#bytes / 1024) * waitMsPerKiB - this.#waitedMs);
  }

  /** Counts a chunk; returns the reason to give up, which completes a sentence. */
  spend(bytes: number, waitedMs: number): string | undefined {
    this.#bytes += bytes;
    this.#waitedMs += waitedMs;
    if (this.#bytes <= this.limits.maximumBytes) return undefined;
    return `it is larger than ${sizeWords(this.limits.maximumBytes)}`;
  }
}

function sizeWords(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024;
  return mebibytes >= 1 ? `${Math.floor(mebibytes)} MiB` : `${bytes} bytes`;
}
