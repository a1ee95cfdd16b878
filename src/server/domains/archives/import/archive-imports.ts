import { maximumArchiveBytes } from "#contract/workspaces/archive-parts.ts";
import type { ArchiveImport, ArchiveManifest } from "#contract/workspaces/archives.ts";
import { Refusal } from "#contract/problems.ts";
import type { Job } from "../../../jobs/job.ts";
import type { JobRunner, JobWork } from "../../../jobs/runner.ts";
import { enqueueJob, getJob } from "../../../jobs/store.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformBase } from "../../base.ts";
import { startFileJob, type SentFile } from "../../file-job.ts";
import { keptMs, type ArchivePlace } from "../archive-place.ts";
import { archiveOfJob, insertArchive, type ArchiveRecord } from "../store.ts";
import { importJobKind, importStages, importWork } from "./import-job.ts";
import type { ImportUses } from "./import-uses.ts";
import { reportOf } from "./import-run.ts";
import { firstRenamed, renamedCount, type RenamedId } from "./renamed-ids.ts";

/** Imports of archives: each is stored with its job before the 202. */
export class ArchiveImports {
  readonly limitBytes = maximumArchiveBytes;
  readonly kinds: Readonly<Record<string, JobWork>>;
  #jobs: Pick<JobRunner, "wake"> | undefined;
  /** An import that was interrupted may begin again before the services are made. */
  readonly #uses = Promise.withResolvers<ImportUses>();

  constructor(private readonly base: PlatformBase) {
    const parts = { ...base, ids: base.changes.ids };
    this.kinds = { [importJobKind]: importWork(parts, () => this.#uses.promise) };
  }

  /** Sets the services that store what an archive has; they are made after the kinds of jobs. */
  storeWith(uses: ImportUses): void {
    this.#uses.resolve(uses);
  }

  runWith(jobs: Pick<JobRunner, "wake">): void {
    this.#jobs = jobs;
  }

  /** Takes an archive; 413 above 64 GiB, 507 without space. */
  async start(
    work: Work,
    { workspaceId, oid }: ArchivePlace,
    file: SentFile,
  ): Promise<ArchiveImport> {
    return startFileJob(this.base, {
      work,
      workspaceId,
      file,
      limitBytes: this.limitBytes,
      wake: () => this.#jobs?.wake(),
      store: async (tx, { address: { sha256 }, size }) => {
        const at = this.base.now();
        const kind = importJobKind;
        const job = await enqueueJob(
          tx,
          { workspaceId, kind, payload: {}, stages: importStages, createdBy: oid },
          at,
        );
        const row: ArchiveRecord = {
          workspace_id: workspaceId,
          job_id: job.id,
          direction: "import",
          options: "{}",
          sha256,
          size,
          manifest: null,
          report: null,
          created_by: oid,
          created_at: job.createdAt,
          expires_at: new Date(at.getTime() + keptMs).toISOString(),
        };
        await insertArchive(tx, row);
        tx.note({ target: { importId: job.id }, after: { size, sha256 } });
        return answerOf(row, job, { renamed: [], count: 0 });
      },
    });
  }

  /** The state of an import; 404 for one of another user, and 24 hours after its start. */
  async get(
    { read }: Work,
    { workspaceId, oid }: ArchivePlace,
    importId: string,
  ): Promise<ArchiveImport> {
    // Its job ends after the report was stored, so that an ended job has its last report.
    const job = await getJob(read, { workspaceId, id: importId });
    const row = await archiveOfJob(read, workspaceId, importId);
    if (row === undefined || row.direction !== "import" || row.created_by !== oid) {
      throw new Refusal("not-found", { detail: "You have no such import into this workspace" });
    }
    const renamed = await firstRenamed(read, row);
    return answerOf(row, job, { renamed, count: await renamedCount(read, row) });
  }
}

function answerOf(
  row: ArchiveRecord,
  job: Job | undefined,
  { renamed, count }: { readonly renamed: readonly RenamedId[]; readonly count: number },
): ArchiveImport {
  const { manifest } = row;
  const report = reportOf(row);
  return {
    id: row.job_id,
    status: job?.state ?? "failed",
    percentCompleted: job?.percentCompleted ?? 100,
    ...(report !== undefined && {
      parts: report.parts.map((part) => ({ ...part })),
      members: report.members.map((member) => ({ ...member })),
      refused: (report.refused ?? []).map((line) => ({ ...line })),
    }),
    renamed: renamed.map(({ archived, stored }) => ({ archived, stored })),
    renamedCount: count,
    ...(manifest !== null && { manifest: JSON.parse(manifest) as ArchiveManifest }),
    error: job?.error === undefined || job.error === null ? null : { ...job.error },
    created_at: row.created_at,
    expiresAt: row.expires_at,
  };
}
