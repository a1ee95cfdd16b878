import type { SQL } from "bun";
import { textLiteral } from "../../database/dialect.ts";
import { connectingFailure } from "../../database/postgresql/driver-errors.ts";
import { execute } from "../../database/postgresql/pool.ts";
import { connect } from "../../database/postgresql/sessions.ts";
import { workspacesSetting } from "../../database/postgresql/row-security.ts";
import type { Reader } from "../../database/database.ts";
import { ExecutingReader } from "../../database/reader.ts";
import { identifier, render, type Statement } from "../../database/statement.ts";
import { sizeOf, valueOf, type Key, type Row } from "./row-values.ts";
import { PageSize, type Side, type TableChange } from "./side.ts";
import type { ColumnKind, MovedColumn, MovedTable } from "./tables.ts";

function openSession(url: string): SQL {
  return connect({
    url,
    mark: crypto.randomUUID(),
    connections: 1,
    idleSeconds: 0,
    isReadonly: false,
    statementTimeoutMs: 0,
  });
}

/** Opens a PostgreSQL database directly: not through a pooler, which shares sessions. */
export async function openPostgresqlSide(url: string): Promise<Side> {
  const [writer, cursor] = [openSession(url), openSession(url)];
  const close = async (): Promise<void> => {
    await Promise.all([writer, cursor].map((each) => each.close({ timeout: 1 })));
  };
  try {
    for (const session of [writer, cursor]) {
      await execute(session, `select set_config('${workspacesSetting}', '*', false)`, []);
      await execute(session, "set work_mem = '128MB'", []);
    }
    await execute(writer, "set maintenance_work_mem = '256MB'", []);
    // The end of the move waits for its own commit, which makes all others durable.
    await execute(writer, "set synchronous_commit = off", []);
  } catch (error) {
    await close();
    throw connectingFailure(error);
  }
  return sideOf(writer, cursor, close);
}

function sideOf(writer: SQL, cursor: SQL, close: () => Promise<void>): Side {
  const run = async (statement: Statement): Promise<void> => {
    const { text, parameters } = render(statement, "postgresql");
    await execute(writer, text, parameters);
  };
  const transaction = async (work: () => Promise<void>): Promise<void> => {
    await execute(writer, "begin isolation level read committed", []);
    try {
      await work();
      await execute(writer, "commit", []);
    } catch (error) {
      await execute(writer, "rollback", []).catch(() => {});
      throw error;
    }
  };
  return {
    dialect: "postgresql",
    reader: new ExecutingReader("postgresql", (text, parameters) =>
      execute(writer, text, parameters),
    ),
    pages: (table, after) => pagesOf(cursor, table, after),
    change: (table, change, notes = []) =>
      transaction(async () => {
        await changeRows(writer, table, change);
        for (const note of notes) await run(note);
      }),
    transaction: (statements) =>
      transaction(async () => {
        for (const statement of statements) await run(statement);
      }),
    run,
    makeDurable: async () => void (await execute(writer, "set synchronous_commit = on", [])),
    close,
  };
}

async function* pagesOf(
  session: SQL,
  table: MovedTable,
  after: Key | undefined,
): AsyncGenerator<readonly Row[], void, undefined> {
  await execute(session, "begin isolation level repeatable read read only", []);
  try {
    yield* cursorPages(session, table, after);
  } finally {
    await execute(session, "rollback", []);
  }
}

/** Reads a table in the transaction that the session has. */
async function* cursorPages(
  session: SQL,
  table: MovedTable,
  after?: Key,
): AsyncGenerator<readonly Row[], void, undefined> {
  await execute(session, cursorOf(table, after), []);
  const size = new PageSize();
  for (;;) {
    const { rows: found } = await execute(session, `fetch forward ${size.rows} from moved`, []);
    if (found.length === 0) break;
    const rows = found.map((row) =>
      table.columns.map((column) => valueOf(column, row[column.name])),
    );
    size.note(
      rows.length,
      rows.reduce((sum, row) => sum + sizeOf(row), 0),
    );
    yield rows;
  }
  await execute(session, "close moved", []);
}

/** One state of a PostgreSQL database. */
export interface Snapshot {
  readonly reader: Reader;
  pages(table: MovedTable): AsyncGenerator<readonly Row[], void, undefined>;
}

/** Reads all of a PostgreSQL database as it is now, while its platforms write. */
export async function inPostgresqlSnapshot<Result>(
  url: string,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const session = openSession(url);
  try {
    await execute(session, `select set_config('${workspacesSetting}', '*', false)`, []).catch(
      (error: unknown) => {
        throw connectingFailure(error);
      },
    );
    await execute(session, "begin isolation level repeatable read read only", []);
    // The first statement takes the snapshot.
    await execute(session, "select 1", []);
    return await work({
      reader: new ExecutingReader("postgresql", (text, parameters) =>
        execute(session, text, parameters),
      ),
      pages: (table) => cursorPages(session, table),
    });
  } finally {
    await session.close({ timeout: 1 });
  }
}

function cursorOf({ name, columns, key }: MovedTable, after: Key | undefined): string {
  const selected = columns.map((column) =>
    column.kind === "json" ? `${quoted(column)}::text as ${quoted(column)}` : quoted(column),
  );
  const names = key.map((at) => quoted(columns[at]));
  const values = after?.map((value) => (typeof value === "string" ? literal(value) : `${value}`));
  const where = values === undefined ? "" : `where (${names.join(", ")}) > (${values.join(", ")})`;
  return `declare moved no scroll cursor for select ${selected.join(", ")}
    from ${identifier(name).strings.join("")} ${where} order by ${names.join(", ")}`;
}

function quoted(column: MovedColumn | undefined): string {
  return `"${column?.name ?? ""}"`;
}

/** An SQL literal that means the same whatever the server's settings are. */
function literal(text: string): string {
  return `E${textLiteral(text.replaceAll("\\", "\\\\"))}`;
}

/** The type of a value in the list of rows, and the expression that makes the column of it. */
const given: Readonly<Record<ColumnKind, { type: string; as: (name: string) => string }>> = {
  text: { type: "text", as: (name) => name },
  integer: { type: "bigint", as: (name) => name },
  number: { type: "double precision", as: (name) => name },
  json: { type: "text", as: (name) => `${name}::jsonb` },
  bytes: { type: "text", as: (name) => `decode(${name}, 'base64')` },
};

async function changeRows(
  session: SQL,
  { name: table, columns, key }: MovedTable,
  { removed, added }: TableChange,
): Promise<void> {
  const listed = (some: readonly MovedColumn[]): string =>
    `json_to_recordset($1::text::json) as given(${some
      .map((column) => `${quoted(column)} ${given[column.kind].type}`)
      .join(", ")})`;
  if (removed.length > 0) {
    const keys = key.flatMap((at) => columns[at] ?? []);
    const isSame = keys.map((each) => `moved.${quoted(each)} = given.${quoted(each)}`);
    await execute(
      session,
      `delete from ${table} as moved using ${listed(keys)} where ${isSame.join(" and ")}`,
      [jsonOf(keys, removed)],
    );
  }
  if (added.length === 0) return;
  const names = columns.map(quoted);
  const values = columns.map((column) => given[column.kind].as(quoted(column)));
  await execute(
    session,
    `insert into ${table} (${names.join(", ")}) select ${values.join(", ")} from ${listed(columns)}`,
    [jsonOf(columns, added)],
  );
}

function jsonOf(columns: readonly MovedColumn[], rows: readonly Row[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const named: Record<string, unknown> = {};
      for (const [at, { name }] of columns.entries()) {
        const value = row[at] ?? null;
        if (value === null) continue;
        if (typeof value === "bigint") named[name] = `${value}`;
        else if (value instanceof Uint8Array) named[name] = Buffer.from(value).toString("base64");
        else named[name] = value;
      }
      return named;
    }),
  );
}
