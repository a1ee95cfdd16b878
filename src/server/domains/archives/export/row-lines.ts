import { sortedJson } from "#lib/json/value.ts";
import type { Reader } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import {
  identifier,
  join,
  nothing,
  statement,
  type Statement,
} from "../../../database/statement.ts";
import type { ArchivedTable } from "../tables.ts";

type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

const usualPageRows = 200;

/** The lines of a table's rows of a workspace, page by page. */
export async function* tableLines(
  reader: Reader,
  workspaceId: string,
  archived: ArchivedTable,
): AsyncGenerator<string[], void, undefined> {
  for await (const rows of tableRows(reader, workspaceId, archived)) {
    yield rows.map((row) => tableLine(archived, row));
  }
}

/** The rows of a table in the order of its key; columns with JSON are text. */
export async function* tableRows(
  reader: Reader,
  workspaceId: string,
  archived: ArchivedTable,
): AsyncGenerator<Row[], void, undefined> {
  const { table, key, columns, pageRows = usualPageRows, isOfDocument = false } = archived;
  const { leftOutWith } = archived;
  const isKept =
    leftOutWith === undefined ? nothing : statement`and ${identifier(leftOutWith)} is null`;
  const all: ArchivedTable["columns"] = { ...Object.fromEntries(key.map(plainColumn)), ...columns };
  const names = Object.entries(all).map(([name, form]) =>
    form === "json" ? statement`${jsonText(name)} as ${identifier(name)}` : identifier(name),
  );
  const order = join(key.map((name) => identifier(name)));
  const owner = table === "documents" ? "id" : "document_id";
  const isShown = isOfDocument
    ? statement`and ${identifier(owner)} in (select id from documents
        where workspace_id = ${workspaceId} and status <> 'deleting')`
    : nothing;
  for (let after: Statement = nothing; ;) {
    const rows: Row[] = await reader.all<Row>(statement`select ${join(names)}
      from ${identifier(table)} where workspace_id = ${workspaceId} ${after} ${isShown} ${isKept}
      order by ${order} limit ${pageRows}`);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    const place = join(key.map((name) => statement`${last[name] ?? ""}`));
    after = statement`and (${order}) > (${place})`;
  }
}

const plainColumn = (name: string): [string, "plain"] => [name, "plain"];

/** One line: the columns in their order, with the values of JSON columns as JSON. */
export function tableLine({ columns }: ArchivedTable, row: Row): string {
  const members = Object.entries(columns).map(([name, form]) => {
    const value = row[name] ?? null;
    const isText = typeof value === "string";
    if (form === "plain" || !isText) return `"${name}":${JSON.stringify(value)}`;
    return `"${name}":${form === "json" ? sortedJson(JSON.parse(value)) : value}`;
  });
  return `{${members.join()}}`;
}
