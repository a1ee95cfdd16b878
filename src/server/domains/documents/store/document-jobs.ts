import type { Reader } from "../../../database/database.ts";
import { countRows, newestFirst, type NewestPage } from "../../../database/row-pages.ts";
import type { Transaction } from "../../../work/work.ts";
import { nothing, raw, statement, type Statement } from "../../../database/statement.ts";
import { jobColumns, jobOfRow, type Job, type JobKey, type JobRow } from "../../../jobs/job.ts";

export interface JobPage extends NewestPage {
  readonly workspaceId: string;
  readonly kind: string;
}

/** A workspace's jobs of one kind, newest first. */
export async function jobPage(reader: Reader, page: JobPage): Promise<Job[]> {
  const rows = await reader.all<JobRow>(statement`select ${jobColumns} from jobs
    where workspace_id = ${page.workspaceId} and kind = ${page.kind}
      ${newestFirst(page)}`);
  return rows.map(jobOfRow);
}

export async function countJobs(
  reader: Reader,
  { workspaceId, kind }: { readonly workspaceId: string; readonly kind: string },
): Promise<number> {
  return countRows(
    reader,
    statement`from jobs
    where workspace_id = ${workspaceId} and kind = ${kind}`,
  );
}

/** Jobs of a workspace that no worker has yet, counted up to `limit`. */
export async function countWaitingJobs(
  reader: Reader,
  workspaceId: string,
  limit: number,
): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count from (
    select 1 from jobs where workspace_id = ${workspaceId}
      and state in ('queued', 'interrupted') limit ${limit}) as waiting`);
  return row?.count ?? 0;
}

/** The condition of the partial index `documents_unsettled`. */
const unsettled = statement`status in ('queued', 'processing')`;

/** True if {@link settleDocuments} has work. */
export async function areDocumentsUnsettled(reader: Reader): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from documents
    where ${unsettled} and exists (
      select 1 from jobs where jobs.workspace_id = documents.workspace_id
        and jobs.id = documents.job_id and jobs.state in ('failed', 'cancelled'))
    limit 1`);
  return row !== undefined;
}

interface SettledRow {
  readonly id: string;
  readonly version: number;
  readonly workspaceId: string;
}

/** Copies the end of failed and cancelled jobs to their documents; returns how many changed. */
export async function settleDocuments(tx: Transaction, now: Date, job?: JobKey): Promise<number> {
  const scope: Statement =
    job === undefined
      ? nothing
      : statement`and workspace_id = ${job.workspaceId} and job_id = ${job.id}`;
  const ended = (state: string): Statement => statement`exists (
    select 1 from jobs where jobs.workspace_id = documents.workspace_id
      and jobs.id = documents.job_id and jobs.state = ${state})`;
  const settle = async (status: "failed" | "cancelled"): Promise<number> => {
    const rows = await tx.all<SettledRow>(statement`update documents
      set status = ${status}, updated_at = ${now.toISOString()}, version = version + 1,
        index_status = case index_status when 'pending' then 'failed' else index_status end,
        error = (select jobs.error from jobs where jobs.workspace_id = documents.workspace_id
          and jobs.id = documents.job_id)
      where ${unsettled} ${scope} and ${ended(status)}
      returning id, version, workspace_id as ${raw('"workspaceId"')}`);
    for (const { id, version, workspaceId } of rows) {
      tx.event("document", id, workspaceId, { version: Number(version), changed: ["status"] });
    }
    return rows.length;
  };
  return (await settle("cancelled")) + (await settle("failed"));
}
