import { shown, type Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import { exitCodes } from "#contract/errors.ts";
import type { StorageDiagnosis, StorageStatus, SyncReport } from "#contract/workspaces/storage.ts";
import { dryRunOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { tenantOption } from "../workspaces/options.ts";

/** Options of provisioning and reconciliation; `mongodb` means `documentdb` (spec 2.11). */
export const syncOptions = {
  "tenant-id": tenantOption,
  backend: {
    type: "string",
    values: ["postgresql", "mongodb", "documentdb", "blob", "search", "all"],
    placeholder: "backend",
    default: "all",
    description: "The backend",
  },
  "dry-run": dryRunOption,
} as const;
type Backend = (typeof syncOptions.backend.values)[number];

export function normalisedBackend(backend: Backend): Exclude<Backend, "mongodb"> {
  return backend === "mongodb" ? "documentdb" : backend;
}

/** True if an answer about the storage, as it was sent, has a part that is not well. */
export async function isUnwell(answer: StorageStatus | StorageDiagnosis): Promise<boolean> {
  const { unwellParts } = await import("#contract/platform/condition.ts");
  return unwellParts(JSON.parse(JSON.stringify(answer))).length > 0;
}

export function statusLines(output: Output, { backends }: StorageStatus): Shown[] {
  return output.table(backends, [
    { heading: "backend", value: (row) => row.backend, whole: true },
    { heading: "provider", value: (row) => row.provider },
    { heading: "status", value: (row) => row.status, whole: true },
    { heading: "detail", value: (row) => row.detail, optional: true },
  ]);
}

/** Each finding with its first examples and its repair. */
export function diagnosisLines(output: Output, { findings }: StorageDiagnosis): Shown[] {
  return findings.flatMap(({ code, subject, count, detail, examples = [], mend }) => {
    const title = [code, subject, count === undefined ? undefined : `(${count})`];
    return [
      shown`${output.tone("danger", "✗")} ${title.filter(Boolean).join(" ")}`,
      ...[detail, ...examples.map((example) => `- ${example}`), mend]
        .filter((line) => line !== undefined)
        .map((line) => shown`  ${line}`),
    ];
  });
}

/** Prints the results. Returns exit code 1 for a failed or unknown state (spec 7.2). */
export async function printSync({ output }: CommandContext, report: SyncReport): Promise<number> {
  const { results } = report;
  await output.data(report, () =>
    output.table(results, [
      { heading: "backend", value: (row) => row.backend, whole: true },
      { heading: "type", value: (row) => row.objectType },
      { heading: "state", value: (row) => row.state, whole: true },
      { heading: "actions", value: (row) => row.actions?.join(", ") },
      { heading: "detail", value: (row) => row.detail, optional: true },
    ]),
  );
  if (results.length === 0 && !output.isJson) {
    // A report as JSON is what was sent.
    const reports = JSON.stringify(report).includes('"results":');
    const silent = "Done; the platform reported no results";
    await output.note(reports ? shown`Nothing to do` : shown`${silent}`);
  }
  const { syncStates } = await import("#contract/workspaces/storage.ts");
  const done: ReadonlySet<string> = new Set(syncStates);
  const undone = results.filter(({ state }) => !done.has(state.toLowerCase()));
  if (undone.length === 0) return exitCodes.done;
  const words = undone.map(
    ({ backend, objectType, state }) => `${objectType ?? backend} is ${state}`,
  );
  await output.note(shown`Not done: ${words.join(", ")}`);
  return exitCodes.failed;
}
