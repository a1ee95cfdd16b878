import type { Reader } from "../../database/database.ts";
import { raw } from "../../database/statement.ts";
import { isOfNoExtension } from "../../schema/tables.ts";

export type ColumnKind = "text" | "integer" | "number" | "json" | "bytes";

export interface MovedColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A table whose rows a move copies, with the columns that both engines can read. */
export interface MovedTable {
  readonly name: string;
  readonly columns: readonly MovedColumn[];
  /** The places in `columns` by which rows are ordered and named. */
  readonly key: readonly number[];
}

/**
 * Tables that a move leaves out: the feed begins another epoch, the target makes its own entries of
 * the search index, its own boxes and numbers of records, and the others have no meaning after the
 * end of the source's processes.
 */
export const tablesLeftOut: ReadonlySet<string> = new Set([
  "answer_events",
  "change_batches",
  "data_moves",
  "feed_epochs",
  "feed_floors",
  "feed_sizes",
  "id_shares",
  "record_places",
  "running_answers",
  "search_entries",
  "shared_counts",
  "shared_numbers",
  "svc_migrations",
]);

/** Columns of SQLite that follow from others: the number of an id, and the order of insertion. */
const ofSqliteOnly: ReadonlySet<string> = new Set([
  "resources.record_number",
  "document_chunks.seq",
]);

/** Keys that differ from the primary key of PostgreSQL. */
const ownKeys: Readonly<Record<string, readonly string[]>> = {
  resources: ["id"],
  resource_history: ["resource_id", "version"],
};

const kinds: Readonly<Record<string, ColumnKind>> = {
  text: "text",
  bigint: "integer",
  "double precision": "number",
  jsonb: "json",
  bytea: "bytes",
};

interface FoundColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The place in the primary key, from 1; 0 for other columns. */
  readonly place: number;
}

/** The tables to move, from the catalogs of both databases. Throws when the catalogs differ. */
export async function movedTables(one: Reader, other: Reader): Promise<readonly MovedTable[]> {
  const [sqlite, postgresql] = one.dialect === "sqlite" ? [one, other] : [other, one];
  const found = await postgresql.all<FoundColumn>(raw(postgresqlColumns));
  const inSqlite = new Set(
    (await sqlite.all<{ name: string }>(raw(sqliteColumns)))
      .map(({ name }) => name)
      .filter((name) => !ofSqliteOnly.has(name)),
  );
  const tables: MovedTable[] = [];
  for (const [name, columns] of byTable(found)) {
    requireColumns(name, columns, inSqlite);
    tables.push(tableOf(name, columns));
  }
  const [unknown] = [...inSqlite].filter((name) => !tablesLeftOut.has(name.split(".")[0] ?? ""));
  if (unknown !== undefined) throw new TypeError(`PostgreSQL has no column ${unknown}`);
  return tables;
}

/** The tables of a PostgreSQL database whose rows a backup has. */
export async function postgresqlTables(reader: Reader): Promise<readonly MovedTable[]> {
  const found = await reader.all<FoundColumn>(raw(postgresqlColumns));
  return byTable(found).map(([name, columns]) => tableOf(name, columns));
}

function byTable(found: readonly FoundColumn[]): [string, readonly FoundColumn[]][] {
  const tables = [...Map.groupBy(found, ({ table }) => table)];
  return tables.filter(([name]) => !tablesLeftOut.has(name));
}

/** Takes the columns of a table out of those of SQLite. */
function requireColumns(
  name: string,
  columns: readonly FoundColumn[],
  inSqlite: Set<string>,
): void {
  for (const { column } of columns) {
    const isKnown = inSqlite.delete(`${name}.${column}`);
    if (!isKnown && `${name}.${column}` !== "resource_history.workspace_id") {
      throw new TypeError(`SQLite has no column ${name}.${column}`);
    }
  }
}

function tableOf(name: string, columns: readonly FoundColumn[]): MovedTable {
  const moved = columns.map(({ column, type }): MovedColumn => {
    const kind = kinds[type];
    if (kind === undefined) throw new TypeError(`Cannot move ${name}.${column} of type ${type}`);
    return { name: column, kind };
  });
  const primary = columns
    .filter(({ place }) => Number(place) > 0)
    .toSorted((a, b) => Number(a.place) - Number(b.place))
    .map(({ column }) => column);
  const key = (ownKeys[name] ?? primary).map((each) =>
    moved.findIndex((column) => column.name === each),
  );
  if (key.length === 0) throw new TypeError(`Cannot move ${name}, which has no primary key`);
  return { name, columns: moved, key };
}

const sqliteColumns = `select tables.name || '.' || columns.name as name
  from pragma_table_list as tables, pragma_table_xinfo(tables.name) as columns
  where tables.schema = 'main' and tables.type = 'table' and tables.name not like 'sqlite\\_%' escape '\\'
    and columns.hidden = 0`;

const postgresqlColumns = `select tables.relname::text as "table", attname::text as "column",
    format_type(atttypid, null) as type,
    coalesce(array_position(string_to_array(indkey::text, ' ')::int[], attnum::int), 0) as place
  from pg_class as tables join pg_attribute on attrelid = tables.oid and attnum > 0
      and not attisdropped and attgenerated = ''
    left join pg_index on indrelid = tables.oid and indisprimary
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and ${isOfNoExtension("tables.oid")}
  order by 1, attnum`;
