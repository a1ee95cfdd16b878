import type { Writer } from "../../database/database.ts";
import { identifier, raw, statement } from "../../database/statement.ts";
import type { Work } from "../../work/work.ts";

/** Index pages that one transaction rewrites: other writes wait for it, 256 take half a second. */
const mergedPages = 16;

/**
 * SQLite: rewrites the full-text indexes without the words of removed rows, and empties the
 * write-ahead log. PostgreSQL's own vacuum does this. Returns false when the time is over first.
 */
export async function compact(
  work: Work,
  emptyLog: (() => Promise<boolean>) | undefined,
  budgetMs: number,
): Promise<boolean> {
  if (work.read.dialect === "postgresql") return true;
  const deadline = performance.now() + budgetMs;
  const tables = await work.read.all<{ name: string }>(
    raw(`select name from sqlite_schema
      where type = 'table' and sql like 'create virtual table % using fts5(%'`),
  );
  for (const { name } of tables) {
    while (await work.write((tx) => merge(tx, name))) {
      if (performance.now() > deadline) return false;
      // Other writes go first.
      await Bun.sleep(0);
    }
  }
  return (await emptyLog?.()) !== false;
}

/** Merges a part of an index; false when nothing is left to merge. */
async function merge(writer: Writer, table: string): Promise<boolean> {
  const before = await totalChanges(writer);
  const name = identifier(table);
  // A negative number of pages merges all segments, in as many calls as it takes.
  await writer.run(
    statement`insert into ${name} (${name}, rank) values ('merge', ${-mergedPages})`,
  );
  // A call without work changes at most one row.
  return (await totalChanges(writer)) - before > 1;
}

async function totalChanges(writer: Writer): Promise<number> {
  const row = await writer.first<{ count: number }>(raw("select total_changes() as count"));
  return Number(row?.count ?? 0);
}
