import * as z from "zod";
import { parsedJson } from "#lib/json/value.ts";
import { refuseOlderBuilds, sharedNumbersTable } from "../../../database/shared-numbers.ts";
import { raw } from "../../../database/statement.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { openDatabase } from "../../../database/open.ts";
import { migrations } from "../../../schema/migrations.ts";
import { isOfNoExtension } from "../../../schema/tables.ts";
import { continueAfter, lastNumber } from "../../move/feed-numbers.ts";
import { analyzeTables, makeLaterParts, removalOfParts } from "../../move/later-parts.ts";
import { noteTarget } from "../../move/move-state.ts";
import { openPostgresqlSide, type Snapshot } from "../../move/postgresql-side.ts";
import { canonicalText, type Row, type Value } from "../../move/row-values.ts";
import { makeSearchIndex } from "../../move/search.ts";
import type { Side } from "../../move/side.ts";
import { openSqliteSide } from "../../move/sqlite-side.ts";
import { postgresqlTables, type MovedTable } from "../../move/tables.ts";
import { RowsDigest } from "../../move/walk.ts";
import { isSqlite, sqlitePath } from "../../../database/open.ts";

/** The rows of a table and their digest, as a backup's manifest has them. */
export type TableFacts = Record<string, { rows: number; sha256?: string | undefined }>;

const numberLine = z.object({ number: z.int() });
const tableLine = z.object({
  table: z.string(),
  columns: z.array(
    z.object({ name: z.string(), kind: z.enum(["text", "integer", "number", "json", "bytes"]) }),
  ),
  key: z.array(z.int()),
});
const value = z.union([
  z.string(),
  z.number(),
  z.null(),
  z.object({ integer: z.string() }),
  z.object({ bytes: z.string() }),
]);
const rowsLine = z.object({ rows: z.array(z.array(value)) });
const dumpLine = z.union([numberLine, tableLine, rowsLine]);

/**
 * The rows of one state of a PostgreSQL database as lines of JSON: the number of the feed, then for
 * each table its columns and pages of its rows. Both databases can take them. `facts` is filled.
 */
export async function* dumpedRows(
  { reader, pages }: Snapshot,
  facts: TableFacts,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield line({ number: await lastNumber(reader) });
  for (const table of await postgresqlTables(reader)) {
    const { name, columns, key } = table;
    yield line({ table: name, columns, key });
    const digest = new RowsDigest();
    for await (const rows of pages(table)) {
      digest.add(rows.map((row) => canonicalText(table, row)));
      yield line({ rows: rows.map((row) => row.map(written)) });
    }
    facts[name] = { rows: digest.rows, sha256: digest.text() };
  }
}

function line(content: object): Uint8Array {
  return Buffer.from(`${JSON.stringify(content)}\n`);
}

function written(given: Value): z.output<typeof value> {
  if (typeof given === "bigint") return { integer: `${given}` };
  if (given instanceof Uint8Array) return { bytes: Buffer.from(given).toString("base64") };
  return given;
}

function readValue(given: z.output<typeof value>): Value {
  if (given === null || typeof given !== "object") return given;
  return "integer" in given ? BigInt(given.integer) : Buffer.from(given.bytes, "base64");
}

/**
 * Loads dumped rows into a new database of either kind, whose schema becomes that of the dump and
 * then this build's. No platform starts on it before the end. Throws `DamagedFileError` for rows
 * that differ from `expected`.
 */
export async function loadRows(
  url: string,
  lines: AsyncIterable<string>,
  {
    applied,
    expected,
    signal,
  }: {
    readonly applied: readonly string[];
    readonly expected: TableFacts;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const known = migrations.filter(({ name }) => applied.includes(name));
  await (await openDatabase({ url, migrations: known, isExclusive: false, poolSize: 1 })).close();
  const side = isSqlite(url) ? openSqliteSide(sqlitePath(url)) : await openPostgresqlSide(url);
  try {
    // A dump of an earlier schema has no table for records of one number.
    if (side.dialect === "sqlite") await side.run(raw(sharedNumbersTable));
    const tables = await addRows(side, lines, signal);
    await makeLaterParts(side, ["index"]);
    for (const table of tables) await requireRows(side, table, expected[table.name]);
    await makeLaterParts(side, ["rule"]);
    await analyzeTables(side, tables);
    await side.makeDurable();
  } finally {
    await side.close();
  }
  await makeSearchIndex(url, { signal });
  await allowStart(url);
}

async function addRows(
  side: Side,
  lines: AsyncIterable<string>,
  signal: AbortSignal | undefined,
): Promise<readonly MovedTable[]> {
  const tables: MovedTable[] = [];
  let number = 0;
  let isBegun = false;
  for await (const text of lines) {
    signal?.throwIfAborted();
    const parsed = dumpLine.safeParse(parsedJson(text));
    if (!parsed.success) throw new DamagedFileError("The rows of the backup are damaged");
    const content = parsed.data;
    if ("number" in content) {
      ({ number } = content);
      continue;
    }
    if ("table" in content) {
      const { table: name, columns, key } = content;
      tables.push({ name, columns, key });
      if (!isBegun) await begin(side);
      isBegun = true;
      continue;
    }
    const table = tables.at(-1);
    if (table === undefined) throw new DamagedFileError("The rows of the backup are damaged");
    const added = content.rows.map((row): Row => row.map(readValue));
    await side.change(table, { removed: [], added });
  }
  await continueAfter(side, number);
  return tables;
}

/** Marks the database as incomplete, and removes what is made again after the rows. */
async function begin(side: Side): Promise<void> {
  const at = new Date().toISOString();
  const all = await side.reader.all<{ name: string }>(raw(tableNames[side.dialect]));
  const tables = all.map(({ name }): MovedTable => ({ name, columns: [], key: [] }));
  const mark = noteTarget({ state: "copying", platform: "backup", search: "stale", at });
  await side.transaction([...(await removalOfParts(side, tables, at)), mark]);
}

const tableNames = {
  sqlite: `select name from pragma_table_list where schema = 'main' and type = 'table'
    and name not like 'sqlite\\_%' escape '\\'`,
  postgresql: `select relname::text as name from pg_class where relkind in ('r', 'p')
    and relnamespace = current_schema()::regnamespace and ${isOfNoExtension("pg_class.oid")}`,
};

async function requireRows(
  side: Side,
  table: MovedTable,
  expected: TableFacts[string] | undefined,
): Promise<void> {
  const digest = new RowsDigest();
  for await (const rows of side.pages(table)) {
    digest.add(rows.map((row) => canonicalText(table, row)));
  }
  if (digest.rows === expected?.rows && digest.text() === expected.sha256) return;
  throw new DamagedFileError(`The restored rows of ${table.name} differ from those of the backup`);
}

/** Removes the mark of an incomplete database. */
async function allowStart(url: string): Promise<void> {
  const side = isSqlite(url) ? openSqliteSide(sqlitePath(url)) : await openPostgresqlSide(url);
  try {
    const older = side.dialect === "sqlite" ? [refuseOlderBuilds] : [];
    await side.transaction([raw("delete from data_moves"), ...older]);
  } finally {
    await side.close();
  }
}
