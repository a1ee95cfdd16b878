import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../../database/row-pages.ts";
import {
  assignments,
  insertInto,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../../database/statement.ts";

export interface ReportRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** Its source, filter, groups and metrics as JSON text. */
  readonly definition: string;
  readonly version: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_by: string;
  readonly updated_at: string;
}

type ReportKey = Pick<ReportRecord, "workspace_id" | "id">;

export async function insertReport(writer: Writer, row: ReportRecord): Promise<boolean> {
  const { changedRows } = await writer.run(
    statement`${insertInto("geo_reports", row)} on conflict do nothing`,
  );
  return changedRows === 1;
}

export async function reportNamed(
  reader: Reader,
  workspaceId: string,
  slug: string,
): Promise<ReportRecord | undefined> {
  const row = await reader.first<ReportRecord>(statement`select * from geo_reports
    where workspace_id = ${workspaceId} and slug = ${slug}`);
  return row && withNumber(row);
}

/** Reports of a workspace. */
interface ReportSelection {
  readonly workspaceId: string;
  /** Ids of reports that are left out. */
  readonly without?: readonly string[];
}

export async function reportsOf(
  reader: Reader,
  page: NewestPage & ReportSelection,
): Promise<ReportRecord[]> {
  const rows = await reader.all<ReportRecord>(statement`select * from geo_reports
    where ${selected(page)} ${newestFirst(page)}`);
  return rows.map(withNumber);
}

export async function countReports(reader: Reader, selection: ReportSelection): Promise<number> {
  return countRows(reader, statement`from geo_reports where ${selected(selection)}`);
}

function selected({ workspaceId, without = [] }: ReportSelection): Statement {
  const others = without.length === 0 ? nothing : statement`and not ${isOneOf(raw("id"), without)}`;
  return statement`workspace_id = ${workspaceId} ${others}`;
}

export async function updateReport(
  writer: Writer,
  { workspace_id: workspaceId, id }: ReportKey,
  changes: Partial<Omit<ReportRecord, keyof ReportKey>>,
): Promise<void> {
  await writer.run(statement`update geo_reports set ${assignments(changes)}
    where workspace_id = ${workspaceId} and id = ${id}`);
}

export async function deleteReport(
  writer: Writer,
  { workspace_id: workspaceId, id }: ReportKey,
): Promise<void> {
  await writer.run(statement`delete from geo_reports
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Numbers of 64 bits are bigint on PostgreSQL. */
function withNumber(row: ReportRecord): ReportRecord {
  return { ...row, version: Number(row.version) };
}
