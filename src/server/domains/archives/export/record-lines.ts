import { sortedJson } from "#lib/json/value.ts";
import type { Reader } from "../../../database/database.ts";
import { isOneOf, jsonText } from "../../../database/dialect.ts";
import { pageInOrderOfIds, sharedRecords } from "../../../database/shared-numbers.ts";
import { byDialect, nothing, raw, statement, type Statement } from "../../../database/statement.ts";

/**
 * Records of one statement; their histories come with another one. Each statement waits for the
 * requests of a busy platform, so that a page is as large as the memory of its rows allows.
 */
const pageRows = { first: 50, most: 500 };
const pageBytes = 1024 * 1024;
const linesAtOnce = 100;
const filesAtOnce = 50;

/** A type whose records are archived. */
export interface ArchivedType {
  readonly workspaceId: string;
  readonly number: number;
  readonly slug: string;
}

interface RecordRow {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
  readonly data: string;
}

interface HistoryRow {
  readonly resource_id: string;
  readonly version: number;
  readonly operation: string;
  readonly at: string;
  readonly actor: string;
  readonly operation_id: string | null;
  readonly changes: string | null;
}

/** The lines of a type's records in the order of their ids, each with its history. */
export async function* recordLines(
  reader: Reader,
  type: ArchivedType,
): AsyncGenerator<string[], void, undefined> {
  let limit = pageRows.first;
  for (let after = ""; ;) {
    const rows = await recordRows(reader, type, { after, limit });
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const histories = Map.groupBy(
      await historyRows(reader, type.workspaceId, ids),
      (row) => row.resource_id,
    );
    let characters = 0;
    for (let at = 0; at < rows.length; at += linesAtOnce) {
      const some = rows.slice(at, at + linesAtOnce);
      const lines = some.map((row) => lineOf(row, histories.get(row.id) ?? []));
      characters += lines.reduce((sum, line) => sum + line.length, 0);
      yield lines;
    }
    after = rows.at(-1)?.id ?? "";
    if (rows.length < limit) return;
    const fitting = Math.floor((pageBytes * rows.length) / characters);
    limit = Math.max(1, Math.min(fitting, limit * 4, pageRows.most));
  }
}

function recordRows(
  reader: Reader,
  { workspaceId, number }: ArchivedType,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly RecordRow[]> {
  const rows = (from: Statement, where: Statement, order: Statement): Promise<RecordRow[]> =>
    reader.all<RecordRow>(statement`select records.id, version, created_at, created_by, updated_at,
        updated_by, ${jsonText("data")} as data
      from ${from} where workspace_id = ${workspaceId} and type_number = ${number} and ${where}
      order by ${order} limit ${limit}`);
  const table = raw("resources as records");
  if (reader.dialect === "postgresql") {
    return rows(table, statement`id > ${after}`, raw("id"));
  }
  const pages = {
    own: (isNext: Statement) => rows(table, isNext, raw("records.record_number")),
    shared: (isNext: Statement) => rows(sharedRecords, isNext, raw("shared.id")),
    idOf: ({ id }: RecordRow) => id,
  };
  return pageInOrderOfIds(pages, { after, limit });
}

function historyRows(
  reader: Reader,
  workspaceId: string,
  ids: readonly string[],
): Promise<HistoryRow[]> {
  const ofWorkspace = byDialect({
    sqlite: nothing,
    postgresql: statement`workspace_id = ${workspaceId} and`,
  });
  return reader.all<HistoryRow>(statement`select resource_id, version, operation, at, actor,
      operation_id, ${jsonText("changes")} as changes
    from resource_history where ${ofWorkspace} ${isOneOf(raw("resource_id"), ids)}
    order by resource_id, version`);
}

function lineOf(row: RecordRow, history: readonly HistoryRow[]): string {
  const { data, ...columns } = row;
  const entries = history.map(({ resource_id: _record, changes, ...entry }) => {
    const shown = changes === null ? "null" : sortedJson(JSON.parse(changes));
    return `${JSON.stringify(entry).slice(0, -1)},"changes":${shown}}`;
  });
  const values = sortedJson(JSON.parse(data));
  return `${JSON.stringify(columns).slice(0, -1)},"data":${values},"history":[${entries.join()}]}`;
}

/** A file of a record. */
export interface RecordFileRow {
  readonly resource_id: string;
  readonly property: string;
  readonly type: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly sha256: string;
}

/** The files of all records, in the order of their records. */
export async function* recordFiles(
  reader: Reader,
  workspaceId: string,
): AsyncGenerator<RecordFileRow[], void, undefined> {
  for (let after = { resource_id: "", property: "" }; ;) {
    const rows: RecordFileRow[] = await reader.all<RecordFileRow>(statement`select
        resource_id, property, slug as type, filename, content_type, size, sha256
      from resource_files as file join object_types as type
        on type.workspace_id = file.workspace_id and type.number = file.type_number
      where file.workspace_id = ${workspaceId} and kept_until is null
        and (resource_id, property) > (${after.resource_id}, ${after.property})
      order by resource_id, property limit ${filesAtOnce}`);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < filesAtOnce) return;
    after = last;
  }
}
