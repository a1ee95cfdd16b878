import type { ImportFault } from "#contract/geo/datasets.ts";
import type { Reader, Writer } from "../../../../database/database.ts";
import { insertInto, statement } from "../../../../database/statement.ts";
import { requestRemovals } from "../../../../files/removal-store.ts";

export interface ImportRecord {
  readonly workspace_id: string;
  readonly job_id: string;
  readonly dataset_id: string;
  /** The options of the request as JSON text. */
  readonly options: string;
  /** The digest of the file; null once it is no longer needed. */
  readonly sha256: string | null;
  readonly size: number;
  /** The faults as JSON text. */
  readonly faults: string;
  readonly created_at: string;
}

export async function insertImport(writer: Writer, row: ImportRecord): Promise<void> {
  await writer.run(insertInto("geo_imports", row));
}

export async function importOfJob(
  reader: Reader,
  workspaceId: string,
  jobId: string,
): Promise<ImportRecord | undefined> {
  const row = await reader.first<ImportRecord>(statement`select * from geo_imports
    where workspace_id = ${workspaceId} and job_id = ${jobId}`);
  return row && { ...row, size: Number(row.size) };
}

/** Keeps the faults of an import that has ended, and gives its file up. */
export async function endImport(
  writer: Writer,
  { workspace_id: workspaceId, job_id: jobId, sha256, size }: ImportRecord,
  faults: readonly ImportFault[],
): Promise<void> {
  await writer.run(statement`update geo_imports set sha256 = null,
      faults = ${JSON.stringify(faults)}
    where workspace_id = ${workspaceId} and job_id = ${jobId}`);
  if (sha256 !== null) await requestRemovals(writer, workspaceId, [{ sha256, size }]);
}

/** Imports whose job has failed, was cancelled or is gone, so that nothing reads their file. */
export async function leftImports(reader: Reader, limit: number): Promise<ImportRecord[]> {
  return reader.all<ImportRecord>(statement`select * from geo_imports
    where sha256 is not null and not exists (select 1 from jobs
      where jobs.workspace_id = geo_imports.workspace_id and jobs.id = geo_imports.job_id
        and jobs.state in ('queued', 'running', 'interrupted'))
    limit ${limit}`);
}

/** Removes imports whose jobs are no longer kept. */
export async function forgetImports(
  writer: Writer,
  before: string,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from geo_imports
    where (workspace_id, job_id) in (select workspace_id, job_id from geo_imports
      where created_at < ${before} and sha256 is null limit ${limit})`);
  return changedRows;
}
