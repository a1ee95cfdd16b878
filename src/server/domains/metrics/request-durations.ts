/**
 * Upper bounds of the histogram in seconds: six of those that OpenTelemetry advises, so that the
 * routes of the contract fit into the limit on series.
 */
export const durationBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 10] as const;

/** A request whose response has begun. */
export interface AnsweredRequest {
  readonly endpoint?: { readonly definition: { readonly path: string } } | undefined;
  readonly path: string;
  readonly method: string;
  /** When the request's head was read, on the clock of `performance.now()`. */
  readonly startedMs: number;
  readonly response?: { readonly status: number } | undefined;
}

/** Histograms of successes and of refusals; what comes after them is counted in one more. */
const successesAtMost = 140;
const refusalsAtMost = 60;

/** The requests of one route, method and status. */
export interface DurationCounts {
  /** The path of the contract, or the first part of a page's path; undefined without a route. */
  readonly route: string | undefined;
  readonly method: string;
  /** Undefined for the histogram of all that found no other one. */
  readonly status: number | undefined;
  /** Requests for each bound, and for the time above the last one. */
  readonly buckets: number[];
  sumSeconds: number;
}

/**
 * Counts the time from the head of each request to the head of its response. The number of
 * histograms is bounded: no caller can add more than the contract's routes and these limits allow.
 */
export class RequestDurations {
  readonly #byRoute = new Map<string, DurationCounts[]>();
  readonly #overflow = newCounts({ route: undefined, method: "_OTHER", status: undefined });
  #successes = 0;
  #refusals = 0;

  note({ endpoint, path, method, startedMs, response }: AnsweredRequest): void {
    const seconds = (performance.now() - startedMs) / 1000;
    const counts = this.#countsOf(
      endpoint?.definition.path ?? pageOf(path) ?? "",
      knownMethods.has(method) ? method : "_OTHER",
      response?.status ?? 500,
    );
    let place = 0;
    for (const bound of durationBounds) {
      if (seconds <= bound) break;
      place += 1;
    }
    counts.buckets[place] = (counts.buckets[place] ?? 0) + 1;
    counts.sumSeconds += seconds;
  }

  /** Adds the counts of another thread. */
  add(others: readonly DurationCounts[]): void {
    for (const { route = "", method, status, buckets, sumSeconds } of others) {
      const counts = status === undefined ? this.#overflow : this.#countsOf(route, method, status);
      for (const [place, count] of buckets.entries()) {
        counts.buckets[place] = (counts.buckets[place] ?? 0) + count;
      }
      counts.sumSeconds += sumSeconds;
    }
  }

  all(): DurationCounts[] {
    const counted = [...this.#byRoute.values()].flat();
    return isEmpty(this.#overflow) ? counted : [...counted, this.#overflow];
  }

  /** The number of all requests that were answered. */
  total(): number {
    return this.all().reduce(
      (sum, { buckets }) => sum + buckets.reduce((part, count) => part + count, 0),
      0,
    );
  }

  /** Returns what was counted since the last call, for the main thread to add. */
  take(): DurationCounts[] {
    const taken: DurationCounts[] = [];
    for (const counts of this.all()) {
      if (isEmpty(counts)) continue;
      taken.push({ ...counts, buckets: [...counts.buckets] });
      counts.buckets.fill(0);
      counts.sumSeconds = 0;
    }
    return taken;
  }

  #countsOf(route: string, method: string, status: number): DurationCounts {
    const ofRoute = this.#byRoute.get(route);
    if (ofRoute !== undefined) {
      for (const counts of ofRoute) {
        if (counts.status === status && counts.method === method) return counts;
      }
    }
    const isRefusal = status >= 400;
    if (isRefusal ? this.#refusals >= refusalsAtMost : this.#successes >= successesAtMost) {
      return this.#overflow;
    }
    if (isRefusal) this.#refusals += 1;
    else this.#successes += 1;
    const counts = newCounts({ route: route === "" ? undefined : route, method, status });
    if (ofRoute === undefined) this.#byRoute.set(route, [counts]);
    else ofRoute.push(counts);
    return counts;
  }
}

function newCounts(of: Pick<DurationCounts, "route" | "method" | "status">): DurationCounts {
  return {
    ...of,
    buckets: Array.from({ length: durationBounds.length + 1 }, () => 0),
    sumSeconds: 0,
  };
}

function isEmpty({ buckets }: DurationCounts): boolean {
  return buckets.every((count) => count === 0);
}

/** Methods of RFC 9110; callers may invent others. */
const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** The first part of a path outside the contract; undefined where no page is. */
function pageOf(path: string): string | undefined {
  return /^\/(?:$|(?:auth|support|mcp|docs|live|ready|metrics|\.well-known)(?=\/|$))/.exec(
    path,
  )?.[0];
}
