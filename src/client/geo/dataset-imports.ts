import type { DatasetImport } from "#contract/geo/datasets.ts";
import { readJob } from "#lib/job-outcome.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { Client } from "../index.ts";

const firstPauseMs = 200;
const longestPauseMs = 2_000;

interface FollowOptions {
  /** Milliseconds since 1970 after which the import is not read again. */
  readonly endsAtMs: number;
  readonly onState: (state: DatasetImport) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an import until it has ended or the time is over; returns its last state. */
export async function followImport(
  client: Pick<Client, "geoDatasets">,
  started: DatasetImport,
  { endsAtMs, onState, signal }: FollowOptions,
): Promise<DatasetImport> {
  const { dataset, jobId } = started;
  let state = started;
  for (
    let pauseMs = firstPauseMs;
    readJob(state).outcome === "pending" && Date.now() < endsAtMs;
    pauseMs = Math.min(2 * pauseMs, longestPauseMs)
  ) {
    await sleep(pauseMs, signal);
    state = await client.geoDatasets.importJob({ params: { dataset, jobId }, signal });
    onState(state);
  }
  return state;
}
