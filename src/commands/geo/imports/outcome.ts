import type { Output } from "#cli/output/output.ts";
import { shown, type Shown } from "#cli/shown.ts";
import { followImport } from "#client/geo/dataset-imports.ts";
import type { Client } from "#client/index.ts";
import { exitCodes } from "#contract/errors.ts";
import type { DatasetImport } from "#contract/geo/datasets.ts";
import { readJob } from "#lib/job-outcome.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import type { CommandContext } from "../../kit/context.ts";

const shownFaults = 20;

export const jobArgument = {
  name: "job",
  description: "ID of the import's job; `svc geo import` prints it",
} as const;

export const waitOptions = {
  wait: { type: "boolean", description: "Wait for the end of the import" },
  timeout: {
    type: "number",
    minimum: 1,
    maximum: 7200,
    default: 1800,
    placeholder: "seconds",
    description: "Seconds to wait at most",
  },
} as const;

/** Waits for the end of an import at most for a time, with its progress; returns its last state. */
export async function endOfImport(
  { output, signal }: Pick<CommandContext, "output" | "signal">,
  client: Pick<Client, "geoDatasets">,
  started: DatasetImport,
  timeoutMs: number,
): Promise<DatasetImport> {
  return await followImport(client, started, {
    endsAtMs: Date.now() + timeoutMs,
    onState: ({ counts }) => void output.progress(`${counts?.read ?? 0} features read`),
    signal,
  });
}

/** Prints how to follow an import that has not ended; the exit code of its outcome. */
export async function exitCodeOf(
  output: Output,
  state: DatasetImport,
  isWaiting: boolean | undefined,
): Promise<number> {
  const { outcome } = readJob(state);
  if (outcome === "pending" && !output.isJson) {
    const words = [state.dataset, state.jobId].map(shellWord).join(" ");
    await output.note(output.tone("dim", "The import has not ended. Follow it:"));
    await output.note(output.tone("dim", `  svc geo imports show ${words} --wait`));
  }
  if (isWaiting !== true || outcome === "succeeded") return exitCodes.done;
  return outcome === "pending" ? exitCodes.stillPending : exitCodes.failed;
}

/** An import with the reasons of its first refused features. */
export function importLines(output: Output, state: DatasetImport): Shown[] {
  const { jobId, dataset, status, counts, error, faults = [] } = state;
  const more = faults.length - shownFaults;
  return [
    ...output.fields([
      ["job", jobId],
      ["dataset", dataset],
      ["status", status],
      ["read", counts?.read.toString()],
      ["stored", counts?.stored.toString()],
      ["repaired", counts?.repaired.toString()],
      ["refused", counts?.refused.toString()],
      ["error", error?.message],
    ]),
    ...faults.slice(0, shownFaults).map(({ feature, id, pointer, detail }) => {
      const name = id === undefined || id === null ? "" : ` (${id})`;
      const place = pointer === undefined ? "" : `${pointer} `;
      return shown`feature ${feature}${name}: ${place}${detail}`;
    }),
    ...(more > 0 ? [shown`and ${more} more reasons with --format json`] : []),
  ];
}
