import type { Reader, Writer } from "../../../../database/database.ts";
import { isOneOf } from "../../../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../../../database/row-pages.ts";
import {
  assignments,
  insertInto,
  nothing,
  raw,
  statement,
} from "../../../../database/statement.ts";

/** Results of one report that are kept, the newest ones. */
const keptResults = 10;

/** A result of a report, without its rows. */
export interface ResultRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly report_id: string;
  readonly job_id: string;
  /** The definition of the report when it was asked for, as JSON text. */
  readonly definition: string;
  readonly status: "queued" | "succeeded" | "failed";
  /** 1 for a result of the report's schedule. */
  readonly is_scheduled: number;
  readonly kind: string;
  readonly items: number;
  readonly placed: number;
  readonly row_count: number;
  readonly error: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly finished_at: string | null;
}

type ResultKey = Pick<ResultRecord, "workspace_id" | "id">;
type ReportKey = Pick<ResultRecord, "workspace_id" | "report_id">;

const columns = raw(
  "workspace_id, id, report_id, job_id, definition, status, is_scheduled, kind, items, placed, " +
    "row_count, error, created_by, created_at, finished_at",
);

export async function insertResult(writer: Writer, row: ResultRecord): Promise<void> {
  await writer.run(insertInto("geo_report_results", row));
}

/** The results of a report, without some by their ids. */
type ResultWish = ReportKey & { readonly without: readonly string[] };

const wished = ({ workspace_id: workspaceId, report_id: reportId, without }: ResultWish) =>
  statement`from geo_report_results
    where workspace_id = ${workspaceId} and report_id = ${reportId}
      ${without.length === 0 ? nothing : statement`and not ${isOneOf(raw("id"), without)}`}`;

export async function resultsOf(
  reader: Reader,
  page: NewestPage & ResultWish,
): Promise<ResultRecord[]> {
  const rows = await reader.all<ResultRecord>(
    statement`select ${columns} ${wished(page)} ${newestFirst(page)}`,
  );
  return rows.map(withNumbers);
}

export async function countResults(reader: Reader, wish: ResultWish): Promise<number> {
  return countRows(reader, wished(wish));
}

/** The results of a report that were asked for with another definition. */
export async function formerResults(
  reader: Reader,
  {
    workspace_id: workspaceId,
    report_id: reportId,
    definition,
  }: ReportKey & Pick<ResultRecord, "definition">,
): Promise<Pick<ResultRecord, "workspace_id" | "id" | "definition">[]> {
  return reader.all(statement`select workspace_id, id, definition from geo_report_results
    where workspace_id = ${workspaceId} and report_id = ${reportId}
      and definition <> ${definition} order by id`);
}

/** A result with its rows as JSON text; they are null before it has ended. */
export async function resultById(
  reader: Reader,
  { workspace_id: workspaceId, report_id: reportId, id }: ResultKey & ReportKey,
): Promise<(ResultRecord & { readonly content: string | null }) | undefined> {
  const row = await reader.first<ResultRecord & { readonly content: string | null }>(
    statement`select ${columns}, content from geo_report_results
      where workspace_id = ${workspaceId} and report_id = ${reportId} and id = ${id}`,
  );
  return row && withNumbers(row);
}

/** The result that a job makes. */
export async function resultOfJob(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<ResultRecord | undefined> {
  const row = await reader.first<ResultRecord>(statement`select ${columns} from geo_report_results
    where workspace_id = ${workspaceId} and id = ${id}`);
  return row && withNumbers(row);
}

/** Ends a result, and removes older ones of its report. */
export async function endResult(
  writer: Writer,
  row: ResultKey & ReportKey,
  changes: Partial<ResultRecord> & { readonly content?: string },
): Promise<void> {
  const { workspace_id: workspaceId, report_id: reportId, id } = row;
  await writer.run(statement`update geo_report_results set ${assignments(changes)}
    where workspace_id = ${workspaceId} and id = ${id}`);
  await writer.run(statement`delete from geo_report_results
    where workspace_id = ${workspaceId} and report_id = ${reportId} and id not in (
      select id from geo_report_results
      where workspace_id = ${workspaceId} and report_id = ${reportId}
      order by created_at desc, id desc limit ${keptResults})`);
}

export async function deleteResults(writer: Writer, key: ReportKey): Promise<void> {
  await writer.run(statement`delete from geo_report_results
    where workspace_id = ${key.workspace_id} and report_id = ${key.report_id}`);
}

/** Numbers of 64 bits are bigint on PostgreSQL. */
function withNumbers<Row extends ResultRecord>(row: Row): Row {
  const { is_scheduled, items, placed, row_count } = row;
  return {
    ...row,
    is_scheduled: Number(is_scheduled),
    items: Number(items),
    placed: Number(placed),
    row_count: Number(row_count),
  };
}
