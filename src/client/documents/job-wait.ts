import type { DocumentJob } from "#contract/documents/jobs.ts";
import { CatalogError } from "#contract/errors.ts";
import { jitteredPauseMs } from "#lib/time/retry.ts";
import { sleep } from "#lib/time/sleep.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { readJob, type JobOutcome } from "#lib/job-outcome.ts";
import { requireTimeLimitMs } from "../transport/time-limit.ts";
import type { ClientCalls } from "../calls.ts";
import type { CallOptions } from "../options.ts";

/** Options of a wait for a job. */
export interface WaitOptions extends CallOptions {
  /** Longest wait (default 300,000, at most 24 days); each poll also has `timeoutMs`. */
  readonly waitMs?: number | undefined;
  /** Called with the first state and with each changed state. */
  readonly onChange?: ((job: DocumentJob) => void) | undefined;
  /** Called when a request fails temporarily; the wait continues. */
  readonly onOutage?: ((error: CatalogError) => void) | undefined;
}

/**
 * The end of a wait; `pending`: the wait ended before the job was in a known end state. States are
 * compared without regard to case, `-`, `_` and blanks; a failed stage fails the job.
 */
export interface WaitOutcome {
  readonly outcome: "succeeded" | "completed_with_errors" | "failed" | "cancelled" | "pending";
  /** The last known state; undefined only if none could be read. */
  readonly job: DocumentJob | undefined;
}

const defaultWaitMs = 300_000;
/** Pauses between polls grow, so that small files are reported soon. */
const firstPollMs = 150;
const longestPollMs = 5000;
const firstOutageMs = 500;
const longestOutageMs = 15_000;
/** Longest wait for the job's own end after all stages have ended and one of them failed. */
const endingMs = 5000;

/** True if a failure may be temporary; others end the wait. */
function isOutage(error: unknown): error is CatalogError {
  if (!(error instanceof CatalogError)) return false;
  if (error.code === "E201") return true;
  const { status } = error;
  return error.code === "E203" && (status === undefined || status === 429 || status >= 500);
}

/**
 * Follows a job to its end (spec 4.7 rule 6) by events, or by polls if the platform has no events,
 * and continues after outages. It only reads. The outcome is `pending` when `waitMs` ends before
 * the job is in a state that is known to be an end; with a failed stage it is then `failed`.
 * Throws permanent failures, e.g. E202 for an unknown job, and E305 for an invalid `waitMs`.
 */
export async function waitForJob(
  client: ClientCalls,
  jobId: string,
  { waitMs = defaultWaitMs, onChange, onOutage, ...options }: WaitOptions,
): Promise<WaitOutcome> {
  const limit = new TimeLimit(requireTimeLimitMs(waitMs, "waitMs"), options.signal);
  const call = { ...options, signal: limit.signal, params: { jobId } };
  let job: DocumentJob | undefined;
  let seen = "";
  let isEnding = false;
  const see = (state: DocumentJob): boolean => {
    job = state;
    const text = JSON.stringify(state);
    if (text !== seen) onChange?.(state);
    seen = text;
    const { outcome, isActive } = readJob(state);
    if (outcome !== "pending" && isActive && !isEnding) {
      isEnding = true;
      limit.restart(Math.min(limit.remainingMs, endingMs));
    }
    return outcome !== "pending" && !isActive;
  };
  let pushed = true;
  let quietPolls = 0;
  let outages = 0;
  try {
    for (;;) {
      try {
        if (see(await client.documents.job(call))) break;
        outages = 0;
        if (pushed) {
          const states = { count: 0 };
          try {
            if (await follow(client, call, see, states)) break;
          } finally {
            // A deployment that does not push sends one state and ends: poll from now on.
            pushed = states.count > 1;
            if (pushed) quietPolls = 0;
          }
        }
      } catch (error) {
        if (limit.signal.aborted || !isOutage(error)) throw error;
        outages += 1;
        onOutage?.(error);
        const pauseMs = jitteredPauseMs(outages, firstOutageMs, longestOutageMs);
        await sleep(firstOutageMs + pauseMs, limit.signal);
        continue;
      }
      await sleep(Math.min(longestPollMs, firstPollMs * 1.5 ** quietPolls), limit.signal);
      quietPolls = Math.min(quietPolls + 1, 20);
    }
  } catch (error) {
    if (!limit.expired) throw error;
  } finally {
    limit.close();
  }
  return { outcome: outcomeOf(job), job };
}

/** Passes each pushed state to `see`; true when one of them was final. */
async function follow(
  client: ClientCalls,
  call: Parameters<ClientCalls["documents"]["job"]["events"]>[0],
  see: (job: DocumentJob) => boolean,
  states: { count: number },
): Promise<boolean> {
  try {
    for await (const state of client.documents.job.events(call)) {
      states.count += 1;
      if (see(state)) return true;
    }
  } catch (error) {
    // 406: the deployment has no events for jobs.
    if (!(error instanceof CatalogError && error.status === 406)) throw error;
  }
  return false;
}

function outcomeOf(job: DocumentJob | undefined): JobOutcome {
  if (job === undefined) return "pending";
  const { outcome, failedStages } = readJob(job);
  return outcome === "pending" && failedStages.length > 0 ? "failed" : outcome;
}
