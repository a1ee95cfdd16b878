import type { Reader, Writer } from "../../database/database.ts";
import { eraseFeedRows } from "../../work/feed-sizes.ts";
import {
  byDialect,
  identifier,
  join,
  raw,
  statement,
  type Statement,
} from "../../database/statement.ts";

/** A table with a column `workspace_id`. */
export interface WorkspaceTable {
  readonly name: string;
  /** The columns of the primary key, where SQLite has no rowid. */
  readonly key: readonly string[];
}

/** Tables whose rows other tables or indexes depend on; see `purge-run.ts`. */
const erasedSeparately: ReadonlySet<string> = new Set([
  "resources",
  "object_types",
  "document_chunks",
]);

/**
 * The tables that hold rows of workspaces, read from the database itself, so that a new table is
 * never forgotten.
 */
export async function workspaceTables(reader: Reader): Promise<WorkspaceTable[]> {
  const rows = await reader.all<{ name: string; key: string | null }>(
    byDialect({
      sqlite: raw(`select tables.name, case when tables.wr = 1 then
          (select json_group_array(name) from pragma_table_info(tables.name) where pk > 0) end as key
        from pragma_table_list as tables where tables.schema = 'main' and tables.type = 'table'
          and exists (select 1 from pragma_table_info(tables.name) where name = 'workspace_id')
        order by tables.name`),
      postgresql: raw(`select columns.table_name as name, null as key
        from information_schema.columns join information_schema.tables
          using (table_schema, table_name)
        where table_schema = current_schema() and table_type = 'BASE TABLE'
          and column_name = 'workspace_id' order by 1`),
    }),
  );
  return rows
    .filter(({ name }) => !erasedSeparately.has(name))
    .map(({ name, key }) => ({ name, key: key === null ? [] : (JSON.parse(key) as string[]) }));
}

/** Deletes up to `limit` rows of a workspace; returns how many. */
export async function eraseRows(
  writer: Writer,
  table: WorkspaceTable,
  workspaceId: string,
  limit: number,
): Promise<number> {
  if (table.name === "change_batches" && writer.dialect === "sqlite") {
    return eraseFeedRows(writer, workspaceId, limit);
  }
  const name = identifier(table.name);
  const some = (key: Statement): Statement =>
    statement`select ${key} from ${name} where workspace_id = ${workspaceId} limit ${limit}`;
  const key =
    table.key.length === 0 ? raw("rowid") : join(table.key.map((each) => identifier(each)));
  const { changedRows } = await writer.run(
    byDialect({
      sqlite: statement`delete from ${name} where (${key}) in (${some(key)})`,
      postgresql: statement`delete from ${name} where ctid = any (array(${some(raw("ctid"))}))`,
    }),
  );
  return changedRows;
}

const nouns: Readonly<Record<string, string>> = {
  // A purge leaves no trace: the entry of the purge itself is in the platform's log.
  audit_entries: "auditEntries",
  blob_removals: "fileRemovals",
  chat_messages: "messages",
  document_chunks: "passages",
  document_pages: "pages",
  idempotency_keys: "keptResponses",
  resource_files: "recordFiles",
  resource_history: "historyEntries",
  search_entries: "searchEntries",
  search_words: "words",
};

/** The name of a table's rows in a receipt. */
export function nounOf(table: string): string {
  return (
    nouns[table] ?? table.replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase())
  );
}
