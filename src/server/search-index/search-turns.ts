import { Permits } from "../kit/turns/permits.ts";

/** A connection that is silent for 15 s is closed: a search is answered before. */
const answerLimitMs = 14_000;
const longestSearchMs = 10_000;

/**
 * The searches that run at the same time, each of which also weighs its candidates on the thread
 * that answers all requests. Workspaces are served in turn, and so are the callers of one. The line
 * is long enough for 60 callers of one workspace whose searches take a quarter of a second each.
 */
export class SearchTurns {
  readonly #permits = new Permits({
    count: 4,
    countPerShare: 2,
    queueLimit: 1_000,
    queueLimitPerShare: 500,
    queueLimitPerCaller: 125,
    waitLimitMs: 8_000,
  });

  /** Runs a search in its turn, with the time that its statements may take together. */
  run<Found>(
    search: (timeLimitMs: number) => Promise<Found>,
    workspaceId: string,
    signal: AbortSignal,
    caller: string,
  ): Promise<Found> {
    const askedAt = performance.now();
    const inTurn = (): Promise<Found> => {
      const leftMs = answerLimitMs - (performance.now() - askedAt);
      return search(Math.ceil(Math.min(longestSearchMs, leftMs)));
    };
    return this.#permits.hold(inTurn, workspaceId, signal, caller);
  }
}
