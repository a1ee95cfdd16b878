import type { Output } from "#cli/output.ts";
import { exitCodes } from "#contract/errors.ts";
import type { StorageDiagnosis, StorageStatus, SyncReport } from "#contract/storage.ts";
import { counted } from "#lib/counted.ts";
import { tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";

/** Backends as a caller names them; `mongodb` is the old name of `documentdb` (spec 2.11). */
export const backendOption = {
  type: "string",
  values: ["postgresql", "mongodb", "documentdb", "blob", "search", "all"],
  placeholder: "backend",
  default: "all",
  description: "The backend",
} as const;
type Backend = (typeof backendOption.values)[number];

/** `mongodb` goes out as `documentdb`. */
export function normalisedBackend(backend: Backend): Exclude<Backend, "mongodb"> {
  return backend === "mongodb" ? "documentdb" : backend;
}

export const storageOptions = { "tenant-id": tenantOption } as const;

export function statusLines(output: Output, { backends }: StorageStatus): string[] {
  return output.table(backends, [
    { heading: "backend", value: (row) => row.backend, whole: true },
    { heading: "provider", value: (row) => row.provider },
    { heading: "status", value: (row) => row.status, whole: true },
    { heading: "detail", value: (row) => row.detail, optional: true },
  ]);
}

/** Each finding with its first examples and what mends it. */
export function diagnosisLines(output: Output, { findings }: StorageDiagnosis): string[] {
  return findings.flatMap(({ code, subject, count, detail, examples = [], mend }) => {
    const title = [code, subject, count === undefined ? undefined : `(${count})`];
    return [
      `${output.tone("danger", "✗")} ${output.plain(title.filter(Boolean).join(" "))}`,
      ...[detail, ...examples.map((example) => `- ${example}`), mend]
        .filter((line) => line !== undefined)
        .map((line) => output.plain(`  ${line}`)),
    ];
  });
}

/**
 * Prints the results of a provisioning or a reconciliation. The exit code is 1 when one of them has
 * failed, or is in a state that nobody here knows (spec 7.2).
 */
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
  if (results.length === 0 && !output.isJson) await output.note("Nothing to do");
  const { syncStates } = await import("#contract/storage.ts");
  const done: ReadonlySet<string> = new Set(syncStates);
  const undone = results.filter(({ state }) => !done.has(state));
  if (undone.length === 0) return exitCodes.done;
  const words = undone.map(({ backend, objectType, state }) =>
    output.plain(`${objectType ?? backend} is ${state}`),
  );
  await output.note(`Not done: ${words.join(", ")}`);
  return exitCodes.failed;
}

/** What `resources doctor` and `resources storage doctor` both do; 1 when there is a fault. */
export async function runDiagnosis(
  context: CommandContext,
  workspace: string | undefined,
): Promise<number> {
  const { output, signal } = context;
  const client = await context.client({ workspace });
  const diagnosis = await client.storage.doctor({ signal });
  await output.data(diagnosis, () => diagnosisLines(output, diagnosis));
  if (!output.isJson) {
    await output.note(
      [
        diagnosis.ok ? "Nothing is wrong" : counted(diagnosis.findings.length, "finding"),
        ...(diagnosis.complete === false
          ? ["not everything was looked at: `svc serve doctor` does, on the platform's machine"]
          : []),
      ].join("; "),
    );
  }
  return diagnosis.ok ? exitCodes.done : exitCodes.failed;
}
