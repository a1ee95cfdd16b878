import type { Reader, Writer } from "../../database/database.ts";
import { newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { assignments, insertInto, statement } from "../../database/statement.ts";
import { requestRemovals } from "../../files/removal-store.ts";

/** An archive that a user has asked for, and its job. */
export interface ArchiveRecord {
  readonly workspace_id: string;
  readonly job_id: string;
  readonly direction: "export" | "import";
  /** The options of the request as JSON text. */
  readonly options: string;
  /** The digest of the file; null while there is none. */
  readonly sha256: string | null;
  readonly size: number;
  /** The manifest as JSON text. */
  readonly manifest: string | null;
  readonly report: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string;
}

export type ArchiveKey = Pick<ArchiveRecord, "workspace_id" | "job_id">;

export async function insertArchive(writer: Writer, row: ArchiveRecord): Promise<void> {
  await writer.run(insertInto("workspace_archives", row));
}

export async function archiveOfJob(
  reader: Reader,
  workspaceId: string,
  jobId: string,
): Promise<ArchiveRecord | undefined> {
  const row = await reader.first<ArchiveRecord>(statement`select * from workspace_archives
    where workspace_id = ${workspaceId} and job_id = ${jobId}`);
  return row && { ...row, size: Number(row.size) };
}

/** The archives of a user in one direction, the newest first. */
export async function archivesOf(
  reader: Reader,
  owner: Pick<ArchiveRecord, "workspace_id" | "direction" | "created_by">,
  page: NewestPage,
): Promise<ArchiveRecord[]> {
  const rows = await reader.all<ArchiveRecord & { id: string }>(statement`select * from (
      select *, job_id as id from workspace_archives
      where workspace_id = ${owner.workspace_id} and direction = ${owner.direction}
        and created_by = ${owner.created_by}) as archive
    where 1 = 1 ${newestFirst(page)}`);
  return rows.map(({ id: _id, ...row }) => ({ ...row, size: Number(row.size) }));
}

export async function updateArchive(
  writer: Writer,
  { workspace_id: workspaceId, job_id: jobId }: ArchiveKey,
  changes: Partial<Omit<ArchiveRecord, keyof ArchiveKey>>,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update workspace_archives
    set ${assignments(changes)} where workspace_id = ${workspaceId} and job_id = ${jobId}`);
  return changedRows === 1;
}

/** Deletes an archive, and requests the removal of its file. */
export async function deleteArchive(writer: Writer, row: ArchiveRecord): Promise<void> {
  const { workspace_id: workspaceId, job_id: jobId, sha256, size } = row;
  const which = statement`workspace_id = ${workspaceId} and job_id = ${jobId}`;
  await writer.run(statement`delete from archive_ids where ${which}`);
  await writer.run(statement`delete from workspace_archives where ${which}`);
  if (sha256 !== null) await requestRemovals(writer, workspaceId, [{ sha256, size }]);
}

/**
 * The archives of a workspace up to a time: exports, also those that are being made, and the files
 * of imports that have ended.
 */
export async function archivesUpTo(
  reader: Reader,
  workspaceId: string,
  at: string,
  limit: number,
): Promise<ArchiveRecord[]> {
  const rows = await reader.all<ArchiveRecord>(statement`select * from workspace_archives
    where workspace_id = ${workspaceId} and created_at <= ${at}
      and (direction = 'export' or not exists (select 1 from jobs
        where jobs.workspace_id = workspace_archives.workspace_id
          and jobs.id = workspace_archives.job_id
          and jobs.state in ('queued', 'running', 'interrupted')))
    order by created_at, job_id limit ${limit}`);
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}

/** Archives whose time is over, in all workspaces. */
export async function expiredArchives(
  reader: Reader,
  now: string,
  limit: number,
): Promise<ArchiveRecord[]> {
  const rows = await reader.all<ArchiveRecord>(statement`select * from workspace_archives
    where expires_at <= ${now} order by expires_at limit ${limit}`);
  return rows.map((row) => ({ ...row, size: Number(row.size) }));
}
