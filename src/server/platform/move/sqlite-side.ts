import { Database } from "bun:sqlite";
import { uuidNumber } from "../../kit/ordered-uuid.ts";
import type { Reader } from "../../database/database.ts";
import { ExecutingReader } from "../../database/reader.ts";
import { pageInOrderOfIds, sharedRecords, takeNumbers } from "../../database/shared-numbers.ts";
import { sqliteFailure, SqliteConnection } from "../../database/sqlite/sqlite-connection.ts";
import {
  identifier,
  join,
  raw,
  render,
  statement,
  type BoundParameter,
  type Statement,
} from "../../database/statement.ts";
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
  const reader = new ExecutingReader("sqlite", (text, parameters) => writer.run(text, parameters));
  return {
    dialect: "sqlite",
    reader,
    pages: (table, after) => pagesOf(pages, table, after),
    change: (table, change, notes = []) =>
      transaction(async () => {
        removeRows(writer, table, change);
        await addRows(writer, reader, table, change);
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
    const rows = isRecords(table)
      ? await recordsAfter(database, table, String(last?.[0] ?? ""), limit)
      : pageAfter(database, table, last, limit);
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
  const from = isHistory(table)
    ? "resource_history as records cross join object_types as types on types.number = type_number"
    : `${table.name} as records`;
  const key = table.key.map((at) => identifier("records", table.columns[at]?.name ?? ""));
  const isNext = after && statement`(${join(key)}) > (${join([...after])})`;
  return rowsOf(database, table, { from: raw(from), isNext, order: join(key), limit });
}

/** SQLite keys records by numbers, whose order is almost that of ids. */
function recordsAfter(
  database: Database,
  table: MovedTable,
  after: string,
  limit: number,
): Promise<readonly Row[]> {
  const rows = async (from: Statement, isNext: Statement, order: Statement): Promise<Row[]> =>
    rowsOf(database, table, { from, isNext, order, limit });
  const pages = {
    own: (isNext: Statement) =>
      rows(raw("resources as records"), isNext, raw("records.record_number")),
    shared: (isNext: Statement) => rows(sharedRecords, isNext, raw("shared.id")),
    idOf: (row: Row) => String(keyOf(table, row)[0]),
  };
  return pageInOrderOfIds(pages, { after, limit });
}

/** Reads rows of a table, which is `records` in the statement. */
function rowsOf(
  database: Database,
  table: MovedTable,
  {
    from,
    isNext = raw("true"),
    order,
    limit,
  }: {
    readonly from: Statement;
    readonly isNext: Statement | undefined;
    readonly order: Statement;
    readonly limit: number;
  },
): Row[] {
  const columns = table.columns.map(({ name, kind }) => {
    if (isHistory(table) && name === "workspace_id") return raw("types.workspace_id");
    return raw(kind === "json" ? `json(records.${name}) as ${name}` : `records.${name}`);
  });
  const { text, parameters } = render(
    statement`select ${join(columns)} from ${from} where ${isNext} order by ${order} limit ${limit}`,
    "sqlite",
  );
  try {
    const found = database
      .query<Record<string, unknown>, BoundParameter[]>(text)
      .all(...parameters);
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

function removeRows(writer: SqliteConnection, table: MovedTable, { removed }: TableChange): void {
  const isOfRow = isRecords(table)
    ? `record_number = coalesce((select record_number from shared_numbers where id = ?), ?)
        and id = ?`
    : table.key.map((at) => `${table.columns[at]?.name} = ?`).join(" and ");
  const remove = `delete from ${table.name} where ${isOfRow}`;
  for (const key of removed) {
    const id = String(key[0]);
    writer.run(remove, isRecords(table) ? [id, uuidNumber(id), id] : [...key]);
  }
}

async function addRows(
  writer: SqliteConnection,
  reader: Reader,
  table: MovedTable,
  { added }: TableChange,
): Promise<void> {
  const written = table.columns.flatMap((column, at) =>
    isHistory(table) && column.name === "workspace_id" ? [] : [{ column, at }],
  );
  const names = written.map(({ column }) => column.name);
  const marks = written.map(({ column }) => (column.kind === "json" ? "jsonb(?)" : "?"));
  const idOf = (row: Row): string => String(keyOf(table, row)[0]);
  const numberOf = isRecords(table) ? await takeNumbers(reader, added.map(idOf)) : undefined;
  if (numberOf !== undefined) {
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
    if (numberOf !== undefined) values.push(numberOf(idOf(row)));
    writer.run(insert, values);
  }
}
