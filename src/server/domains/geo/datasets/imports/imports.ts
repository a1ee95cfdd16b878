import type { DatasetImport, ImportFault, ImportQuery } from "#contract/geo/datasets.ts";
import { maximumImportBytes } from "#contract/geo/import-formats.ts";
import { Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Reader } from "../../../../database/database.ts";
import { enqueueJob, getJob } from "../../../../jobs/store.ts";
import type { Job } from "../../../../jobs/job.ts";
import type { JobRunner } from "../../../../jobs/runner.ts";
import type { Work } from "../../../../work/work.ts";
import type { PlatformBase } from "../../../base.ts";
import { startFileJob, type SentFile } from "../../../file-job.ts";
import { requireDataset, type DatasetPlace } from "../datasets.ts";
import { importOfJob, insertImport, type ImportRecord } from "./import-store.ts";
import { importJobKind, importStage, optionsOf } from "./run-import.ts";

/** Imports of files: each is stored with its job before the 202. */
export class Imports {
  readonly limitBytes = maximumImportBytes;
  #jobs: Pick<JobRunner, "wake" | "cancel"> | undefined;

  constructor(private readonly base: Pick<PlatformBase, "blobs" | "removals" | "now">) {}

  /** The runner of jobs, which is made after the kinds of its jobs. */
  runWith(jobs: Pick<JobRunner, "wake" | "cancel">): void {
    this.#jobs = jobs;
  }

  /** Takes a file; 404 without such a dataset, 413 above 2 GiB, 507 without space. */
  async start(
    work: Work,
    { workspaceId, dataset, oid }: DatasetPlace,
    query: ImportQuery,
    file: SentFile,
  ): Promise<DatasetImport> {
    await requireDataset(work.read, workspaceId, dataset);
    const { tenant_id: _workspace, ...options } = query;
    return startFileJob(this.base, {
      work,
      workspaceId,
      file,
      limitBytes: this.limitBytes,
      wake: () => this.#jobs?.wake(),
      store: async (tx, { address: { sha256 }, size }) => {
        const { id: dataset_id } = await requireDataset(tx, workspaceId, dataset);
        const job = await enqueueJob(
          tx,
          {
            workspaceId,
            kind: importJobKind,
            payload: { datasetId: dataset_id },
            stages: [importStage],
            createdBy: oid,
          },
          this.base.now(),
        );
        const row: ImportRecord = {
          workspace_id: workspaceId,
          job_id: job.id,
          dataset_id,
          options: JSON.stringify(given(options)),
          sha256,
          size,
          faults: "[]",
          created_at: job.createdAt,
        };
        await insertImport(tx, row);
        tx.note({ target: { dataset, jobId: job.id }, after: { ...given(options), size, sha256 } });
        return importAnswer(dataset, job, row);
      },
    });
  }

  /** The state of an import; 404 without one, and after its job was removed. */
  async get(
    { read }: Work,
    { workspaceId, dataset }: DatasetPlace,
    jobId: string,
  ): Promise<DatasetImport> {
    const { row, job } = await requireImport(read, { workspaceId, dataset }, jobId);
    return importAnswer(dataset, job, row);
  }

  /** Stops an import that has not ended; 409 for one that has. */
  async cancel(
    work: Work,
    { workspaceId, dataset }: DatasetPlace,
    jobId: string,
  ): Promise<DatasetImport> {
    return work.write(async (tx) => {
      const { row } = await requireImport(tx, { workspaceId, dataset }, jobId);
      const change = await this.#jobs?.cancel(tx, { workspaceId, id: jobId });
      if (change?.changed !== true) {
        const detail = "Cannot cancel this import: it has already ended";
        throw new Refusal("conflict", { detail });
      }
      tx.note({ target: { dataset, jobId } });
      return importAnswer(dataset, change.job, row);
    });
  }
}

/** The import of a dataset by its job; 404 without one, and after its job was removed. */
async function requireImport(
  reader: Reader,
  { workspaceId, dataset }: Pick<DatasetPlace, "workspaceId" | "dataset">,
  jobId: string,
): Promise<{ readonly row: ImportRecord; readonly job: Job }> {
  const { id } = await requireDataset(reader, workspaceId, dataset);
  // The job ends after its row was stored, so that the row of an ended job is the last one.
  const job = await getJob(reader, { workspaceId, id: jobId });
  const row = await importOfJob(reader, workspaceId, jobId);
  if (row?.dataset_id === id && job !== undefined) return { row, job };
  throw new Refusal("not-found", { detail: "This dataset has no such import" });
}

function importAnswer(dataset: string, job: Job, row: ImportRecord): DatasetImport {
  const { format = null, dryRun = false } = optionsOf(row);
  const { read = 0, stored = 0, repaired = 0, refused = 0 } = job.counts;
  return {
    jobId: job.id,
    dataset,
    status: job.state,
    percentCompleted: job.percentCompleted,
    dryRun,
    format,
    counts: { read, stored, repaired, refused },
    // Only the loader writes the column.
    faults: JSON.parse(row.faults) as ImportFault[],
    error: job.error === null ? null : { ...job.error },
    created_by: job.createdBy,
    created_at: job.createdAt,
    updated_at: job.updatedAt,
  };
}
