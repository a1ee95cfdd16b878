import type { Promisable } from "../promisable.ts";

export interface CountedRequest {
  readonly cost: number;
  /** The highest count that a caller may have in a window. */
  readonly limit: number;
  readonly nowMs: number;
  readonly windowMs: number;
}

export interface Counted {
  /** The requests in the window; one of more than the limit is not allowed. */
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/** Counts the requests of each name in time windows, which begin with a first request. */
export interface RequestCounts {
  count(name: string, request: CountedRequest): Promisable<Counted>;
}
