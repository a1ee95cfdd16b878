import { within } from "#lib/time/within.ts";

/** Long work on many records or bytes, as a dialog shows and stops it. */

export interface WorkProgress {
  readonly done: number;
  /** Absent while it is not known. */
  readonly total: number | undefined;
  /** The things that are counted now and how, where work has several parts. */
  readonly part?: Pick<Work, "counted" | "wordsOf">;
}

export interface WorkOutcome {
  readonly good: boolean;
  /** The result, the summary first; a line about a thing that was done begins with the mark. */
  readonly lines: readonly string[];
}

/** The mark of a thing that was done, next to others that were not. */
export const doneMark = "✓ ";

export interface Work {
  readonly title: string;
  /** The counted things, e.g. `records deleted`. */
  readonly counted: string;
  /** Formats a count, e.g. bytes as `2.1 MB`; a plain number without it. */
  readonly wordsOf?: (count: number) => string;
  /** The effect of Esc, e.g. `stops before the next 500`. */
  readonly stop: string;
  /** Resolves to the outcome, after an abort to the partial one. One good line is a message. */
  run(report: (progress: WorkProgress) => void, signal: AbortSignal): Promise<WorkOutcome>;
}

/** Longest wait for aborted work when the dashboard ends. */
const longestEndMs = 2_000;
const running = new Set<Promise<unknown>>();

/** Makes the end of the dashboard wait for the work, so that nothing stays half written. */
export function trackWork<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
  const ended: Promise<unknown> = work.catch(() => undefined).finally(() => running.delete(ended));
  running.add(ended);
  return work;
}

/** Resolves when all tracked work has ended, after two seconds at the latest. */
export async function workEnded(): Promise<void> {
  if (running.size === 0) return;
  await within(longestEndMs, Promise.all(running), undefined);
}
