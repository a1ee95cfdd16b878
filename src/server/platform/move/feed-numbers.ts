import type { Reader } from "../../database/database.ts";
import { byDialect, raw, statement } from "../../database/statement.ts";
import type { Side } from "./side.ts";

/**
 * Lets the target's feed continue after the numbers of the source's: rules of alerts compare new
 * rows with the number at which they were made.
 */
export async function continueNumbers(source: Side, target: Side): Promise<void> {
  await continueAfter(target, await lastNumber(source.reader));
}

/** Lets a database's feed continue after this number; 0 for a feed without rows. */
export async function continueAfter(target: Side, last: number): Promise<void> {
  if (last === 0) return;
  if (target.dialect === "postgresql") {
    await target.run(statement`select setval(
      pg_get_serial_sequence('change_batches', 'number'), ${last}::bigint)`);
    return;
  }
  await target.transaction([
    raw("delete from sqlite_sequence where name = 'change_batches'"),
    statement`insert into sqlite_sequence (name, seq) values ('change_batches', ${last})`,
  ]);
}

/** The number of the newest row that the feed of a database has had. */
export async function lastNumber(reader: Reader): Promise<number> {
  const row = await reader.first<{ last: number | null }>(
    byDialect({
      sqlite: raw("select max(seq) as last from sqlite_sequence where name = 'change_batches'"),
      postgresql: raw(`select coalesce(
        pg_sequence_last_value(pg_get_serial_sequence('change_batches', 'number')), 0) as last`),
    }),
  );
  return Number(row?.last ?? 0);
}
