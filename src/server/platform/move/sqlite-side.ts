import { Database } from "bun:sqlite";
import { uuidNumber } from "../../kit/ordered-uuid.ts";
import { ExecutingReader } from "../../database/reader.ts";
import { sqliteFailure, SqliteConnection } from "../../database/sqlite/sqlite-connection.ts";
import { render, type BoundParameter, type Statement } from "../../database/statement.ts";
import {
  foldsForSqlite,
  foldsFromSqlite,
  isFolds,
  keyOf,
  sizeOf,
  valueOf,
  type Key,
  type Row,
  type Value,
} from "./row-values.ts";
import { PageSize, type Side, type TableChange } from "./side.ts";
import type { MovedTable } from "./tables.ts";

/** A platform on the file holds the lock of writers for some milliseconds at a time. */
const waitMs = 30_000;

/** Opens an SQLite file, also while a platform serves it. */
export function openSqliteSide(path: string): Side {
  const writer = new SqliteConnection(path, { readonly: false });
  const pages = new Database(path, { readonly: true, safeIntegers: true });
  writer.execute(`pragma busy_timeout = ${waitMs}`);
  pages.run(`pragma busy_timeout = ${waitMs}`);
  for (const pragma of ["synchronous = normal", "cache_size = -65536", "foreign_keys = off"]) {
    writer.execute(`pragma ${pragma}`);
  }
  const run = async (statement: Statement): Promise<void> => {
    const { text, parameters } = render(statement, "sqlite");
    writer.run(text, parameters);
  };
  const transaction = async (work: () => Promise<void>): Promise<void> => {
    writer.execute("begin immediate");
    try {
      await work();
      writer.execute("commit");
    } catch (error) {
      if (writer.inTransaction) writer.execute("rollback");
      throw error;
    }
  };
  return {
    dialect: "sqlite",
    reader: new ExecutingReader("sqlite", (text, parameters) => writer.run(text, parameters)),
    pages: (table, after) => pagesOf(pages, table, after),
    change: (table, change, notes = []) =>
      transaction(async () => {
        changeRows(writer, table, change);
        for (const note of notes) await run(note);
      }),
    transaction: (statements) =>
      transaction(async () => {
        for (const statement of statements) await run(statement);
      }),
    run,
    makeDurable: async () => {
      writer.execute("pragma synchronous = full");
      writer.execute("pragma wal_checkpoint(truncate)");
    },
    close: async () => {
      pages.close();
      writer.close();
    },
  };
}

const isRecords = ({ name }: MovedTable): boolean => name === "resources";

/** Histories have no workspace on SQLite: their type has it. */
const isHistory = ({ name }: MovedTable): boolean => name === "resource_history";

async function* pagesOf(
  database: Database,
  table: MovedTable,
  after: Key | undefined,
): AsyncGenerator<readonly Row[], void, undefined> {
  const size = new PageSize();
  for (let last = after; ;) {
    const limit = size.rows;
    const rows = pageAfter(database, table, last, limit);
    size.note(
      rows.length,
      rows.reduce((sum, row) => sum + sizeOf(row), 0),
    );
    const end = rows.at(-1);
    if (end !== undefined) {
      yield rows;
      last = keyOf(table, end);
    }
    if (rows.length < limit) return;
  }
}

function pageAfter(
  database: Database,
  table: MovedTable,
  after: Key | undefined,
  limit: number,
): Row[] {
  const columns = table.columns.map(({ name, kind }) => {
    if (isHistory(table) && name === "workspace_id") return "types.workspace_id";
    return kind === "json" ? `json(moved.${name}) as ${name}` : `moved.${name}`;
  });
  const from = isHistory(table)
    ? "resource_history as moved cross join object_types as types on types.number = type_number"
    : `${table.name} as moved`;
  const key = keyColumns(table).map((name) => `moved.${name}`);
  const place = `(${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  const where = after === undefined ? "" : `where ${place}`;
  try {
    const found = database
      .query<Record<string, unknown>, BoundParameter[]>(
        `select ${columns.join(", ")} from ${from} ${where} order by ${key.join(", ")} limit ?`,
      )
      .all(...(after === undefined ? [] : keyValues(table, after)), limit);
    return found.map((row) =>
      table.columns.map((column) => {
        const value = valueOf(column, row[column.name]);
        const isOfFolds = typeof value === "string" && isFolds(table.name, column);
        return isOfFolds ? foldsFromSqlite(value) : value;
      }),
    );
  } catch (error) {
    throw sqliteFailure(error);
  }
}

/** SQLite orders records by their numbers, which have the order of ids. */
function keyColumns({ key, columns, ...table }: MovedTable): string[] {
  if (table.name === "resources") return ["record_number"];
  return key.map((at) => columns[at]?.name ?? "");
}

function keyValues(table: MovedTable, key: Key): BoundParameter[] {
  return isRecords(table) ? [uuidNumber(String(key[0]))] : [...key];
}

function changeRows(
  writer: SqliteConnection,
  table: MovedTable,
  { removed, added }: TableChange,
): void {
  const isOfRow = keyColumns(table).map((name) => `${name} = ?`);
  const remove = `delete from ${table.name} where ${isOfRow.join(" and ")}`;
  for (const key of removed) writer.run(remove, keyValues(table, key));
  const written = table.columns.flatMap((column, at) =>
    isHistory(table) && column.name === "workspace_id" ? [] : [{ column, at }],
  );
  const names = written.map(({ column }) => column.name);
  const marks = written.map(({ column }) => (column.kind === "json" ? "jsonb(?)" : "?"));
  if (isRecords(table)) {
    names.push("record_number");
    marks.push("?");
  }
  const insert = `insert into ${table.name} (${names.join(", ")}) values (${marks.join(", ")})`;
  for (const row of added) {
    const values: Value[] = written.map(({ column, at }) => {
      const value = row[at] ?? null;
      const isOfFolds = typeof value === "string" && isFolds(table.name, column);
      return isOfFolds ? foldsForSqlite(value) : value;
    });
    if (isRecords(table)) values.push(uuidNumber(String(keyOf(table, row)[0])));
    writer.run(insert, values);
  }
}
