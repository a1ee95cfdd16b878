import { archiveManifest, type ArchiveManifest } from "#contract/workspaces/archives.ts";
import { requireSignedAudit } from "#lib/archive/audit-signature.ts";
import { ArchiveDamagedError, verifiedManifest } from "#lib/archive/read-archive.ts";
import { BlobMissingError } from "../../../files/blob-store.ts";
import type { Job } from "../../../jobs/job.ts";
import {
  JobFailedError,
  type JobContext,
  type JobOutcome,
  type JobWork,
} from "../../../jobs/runner.ts";
import { archiveOfJob, updateArchive, type ArchiveRecord } from "../store.ts";
import { importItems, valuesOf } from "./import-items.ts";
import { ImportRun, reportOf, type ImportReport } from "./import-run.ts";
import { ImportRefusedError } from "./store-types.ts";
import type { ImportBase, ImportUses } from "./import-uses.ts";
import { RenamedIds } from "./renamed-ids.ts";

export const importJobKind = "workspace-import";
export const importStages = ["verify", "ids", "import"] as const;

/**
 * Imports an archive: all digests first, then new ids for records whose ids are taken, then the
 * parts in their order. After a crash it passes over what is stored.
 */
export function importWork(base: ImportBase, uses: () => Promise<ImportUses>): JobWork {
  return async (job, context) => {
    const row = await archiveOfJob(context.work.read, job.workspaceId, job.id);
    if (row === undefined) return undefined;
    try {
      return await imported({ base, uses: await uses(), job, row, context });
    } catch (error) {
      if (error instanceof ArchiveDamagedError) {
        const message = `The archive cannot be imported: ${error.message}`;
        throw new JobFailedError(message, "archive-damaged");
      }
      if (!(error instanceof ImportRefusedError)) throw error;
      throw new JobFailedError(error.message, "conflict");
    }
  };
}

interface Importing {
  readonly base: ImportBase;
  readonly uses: ImportUses;
  readonly job: Job;
  readonly row: ArchiveRecord;
  readonly context: JobContext;
}

async function imported(importing: Importing): Promise<JobOutcome | undefined> {
  const { base, uses, job, row, context } = importing;
  await context.runStage("verify", async () => {
    const manifest = await verifiedManifest(await bytesOf(importing), (value) =>
      archiveManifest.parse(value),
    );
    requireSignedAudit(manifest);
    await requireRoom(importing, manifest);
    await keepManifest(importing, manifest);
  });
  const renamed = new RenamedIds(row, base);
  await context.runStage("ids", () => renameAll(importing, renamed));
  const { manifest } = (await archiveOfJob(context.work.read, job.workspaceId, job.id)) ?? row;
  // Only the first stage writes the column.
  const { parts, missing } = JSON.parse(manifest ?? "{}") as ArchiveManifest;
  const before = reportOf(row);
  const known = { renamed, missing: new Set(missing), before };
  const run = new ImportRun({ base, uses, job, context, ...known });
  await context.runStage("import", async (stage) => {
    const total = parts.reduce((sum, { count }) => sum + count, 0);
    let done = 0;
    for await (const item of importItems(await bytesOf(importing))) {
      context.signal.throwIfAborted();
      await run.take(item);
      if (item.kind === "file") continue;
      done += item.lines.length;
      stage.progress(done, total, "lines");
      const due = run.dueReport();
      if (due !== undefined) await keepReport(importing, due);
    }
    await run.end();
    await keepReport(importing, run.report());
  });
  return outcomeOf(run.count("leftOut"), run.count("refused"));
}

function outcomeOf(leftOut: number, refused: number): JobOutcome | undefined {
  if (leftOut + refused === 0) return undefined;
  const known = `${leftOut} lines were left out, because the workspace has them already`;
  const invalid = `${refused} lines were refused: the import lists their reasons`;
  const message = [...(refused > 0 ? [invalid] : []), ...(leftOut > 0 ? [known] : [])].join("; ");
  const code = refused > 0 ? "validation-failed" : "conflict";
  return { state: "completed_with_errors", error: { code, message } };
}

/** Refuses an archive with more than the quota of the workspace leaves. */
async function requireRoom(
  { uses, job: { workspaceId }, context }: Importing,
  { parts, files }: ArchiveManifest,
): Promise<void> {
  const { quota, usage } = await uses.readQuota(context.work, workspaceId);
  const linesOf = (isWanted: (name: string) => boolean): number =>
    parts.reduce((sum, { name, count }) => sum + (isWanted(name) ? count : 0), 0);
  const added = {
    records: linesOf((name) => name.startsWith("records/") || name.startsWith("geo-features/")),
    documents: linesOf((name) => name === "documents"),
    bytes: files.bytes,
  };
  for (const name of ["records", "documents", "bytes"] as const) {
    const [limit, used, count] = [quota[name], usage[name], added[name]];
    if (limit === null || count === 0 || used + count <= limit) continue;
    throw new ImportRefusedError(
      `The archive has ${count} ${name}, and the workspace ${used}; its quota is ${limit}`,
    );
  }
}

async function keepManifest({ row, context }: Importing, manifest: ArchiveManifest): Promise<void> {
  await context.write(async (tx) => {
    await updateArchive(tx, row, { manifest: JSON.stringify(manifest) });
  });
}

async function keepReport({ row, context }: Importing, report: ImportReport): Promise<void> {
  await context.write(async (tx) => {
    await updateArchive(tx, row, { report: JSON.stringify(report) });
  });
}

async function renameAll(importing: Importing, renamed: RenamedIds): Promise<void> {
  const { context } = importing;
  for await (const item of importItems(await bytesOf(importing))) {
    context.signal.throwIfAborted();
    if (item.kind === "file" || !item.part.startsWith("records/")) continue;
    const ids = item.lines.map((line) => String(valuesOf(line)["id"]));
    await renamed.rename(context.work, ids, (unit) => context.write(unit));
  }
}

async function bytesOf({ base, row }: Importing): Promise<AsyncIterable<Uint8Array>> {
  const address = { workspaceId: row.workspace_id, sha256: row.sha256 ?? "" };
  const content = row.sha256 === null ? undefined : await base.blobs.open(address);
  if (content === undefined) throw new BlobMissingError(address);
  return content.stream();
}
