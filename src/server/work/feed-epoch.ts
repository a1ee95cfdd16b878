import { statSync } from "node:fs";
import type { Reader, Writer } from "../database/database.ts";
import { byDialect, raw, statement } from "../database/statement.ts";

const name = "current";

/**
 * Begins another epoch of the feed in a database that was restored or copied: readers have seen
 * changes that it may lack, and on PostgreSQL its rows are of transactions of another cluster. The
 * restore of a backup on SQLite removes the epoch.
 */
export async function confirmEpoch(writer: Writer): Promise<void> {
  const system = await systemOf(writer);
  await writer.run(statement`insert into feed_epochs (name, epoch, system, began_at)
    values (${name}, ${newEpoch()}, ${system}, ${new Date().toISOString()})
    on conflict (name) do nothing`);
  const known = await writer.first<{ system: string; foreign_rows: number }>(knownEpoch);
  if (known?.system === system && Number(known.foreign_rows) === 0) return;
  if (known?.system === "") {
    // An earlier build did not note the file of the database.
    await writer.run(statement`update feed_epochs set system = ${system} where name = ${name}`);
    return;
  }
  await writer.run(raw("delete from change_batches where number is not null"));
  await writer.run(raw("delete from feed_floors where workspace_id is not null"));
  await writer.run(statement`update feed_epochs set epoch = ${newEpoch()}, system = ${system},
    began_at = ${new Date().toISOString()} where name = ${name}`);
}

const knownEpoch = byDialect({
  sqlite: statement`select system, 0 as foreign_rows from feed_epochs where name = ${name}`,
  // Another platform that starts at the same time waits for the row.
  postgresql: statement`select system, (exists (select 1 from change_batches
      where xid > pg_current_xact_id()))::int as foreign_rows
    from feed_epochs where name = ${name} for update`,
});

/**
 * Returns an id of the database file, or of the cluster and the database in it; empty where it is
 * not known. A copy of a file is another one.
 */
async function systemOf(reader: Reader): Promise<string> {
  if (reader.dialect === "sqlite") {
    const main = await reader.first<{ file: string }>(
      raw("select file from pragma_database_list where name = 'main'"),
    );
    const facts = main && statSync(main.file, { throwIfNoEntry: false });
    return facts === undefined ? "" : `${facts.ino}/${Math.floor(facts.birthtimeMs)}`;
  }
  const database = await reader.first<{ oid: string; may_ask: number }>(
    raw(`select oid::text as oid,
      has_function_privilege('pg_control_system()', 'execute')::int as may_ask
    from pg_database where datname = current_database()`),
  );
  if (database === undefined) return "";
  if (Number(database.may_ask) === 0) return database.oid;
  const cluster = await reader.first<{ id: string }>(
    raw("select system_identifier::text as id from pg_control_system()"),
  );
  return `${cluster?.id ?? ""}/${database.oid}`;
}

function newEpoch(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
}
