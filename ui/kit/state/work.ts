import { within } from "#lib/within.ts";

/** Work on many records or bytes that takes a while: what a dialog shows of it, and how it can be stopped. */

export interface WorkProgress {
  readonly done: number;
  /** How many there are in all, where that is known. */
  readonly total: number | undefined;
}

export interface WorkOutcome {
  readonly good: boolean;
  /** What came of it; the first line sums it up. */
  readonly lines: readonly string[];
}

export interface Work {
  readonly title: string;
  /** What is counted, e.g. `records deleted`. */
  readonly counted: string;
  /** How a count is said; a plain number unless given, e.g. bytes as `2.1 MB`. */
  readonly wordsOf?: (count: number) => string;
  /** What Esc does, e.g. `stops before the next 500`. */
  readonly stop: string;
  /**
   * Does it. Told to stop by the signal, it gives what came of it up to there. An outcome of one
   * good line is said in passing; any other is shown until it has been read.
   */
  run(report: (progress: WorkProgress) => void, signal: AbortSignal): Promise<WorkOutcome>;
}

/** How long leaving the dashboard waits for work that was told to stop. */
const longestEndMs = 2_000;
const running = new Set<Promise<unknown>>();

/** Makes leaving the dashboard wait for it, so that nothing stays half written. */
export function trackWork<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
  const ended: Promise<unknown> = work.catch(() => undefined).finally(() => running.delete(ended));
  running.add(ended);
  return work;
}

/** Resolves when all work has ended, at the latest after two seconds. */
export async function workEnded(): Promise<void> {
  if (running.size === 0) return;
  await within(longestEndMs, Promise.all(running), undefined);
}
