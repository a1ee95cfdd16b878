import { readJob } from "../job-outcome.ts";
import { sleep } from "./sleep.ts";

const firstPauseMs = 100;
const longestPauseMs = 2_000;

export interface JobWait<State> {
  readonly read: () => Promise<State>;
  /** Milliseconds after which the job is not read again. */
  readonly waitMs: number;
  readonly onState: (state: State) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Reads the state of a job until it has ended or the time is over; returns the last state. */
export async function endOfJob<State extends { readonly status: string }>(
  started: State,
  { read, waitMs, onState, signal }: JobWait<State>,
): Promise<State> {
  const endMs = Date.now() + waitMs;
  let state = started;
  for (
    let pauseMs = firstPauseMs;
    readJob(state).outcome === "pending" && Date.now() < endMs;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  ) {
    await sleep(pauseMs, signal);
    state = await read();
    onState(state);
  }
  return state;
}
