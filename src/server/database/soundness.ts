import type { Reader } from "./database.ts";
import { raw, statement } from "./statement.ts";

/** Asks the database for next to nothing; throws a `StorageError` where it does not answer. */
export async function askDatabase(reader: Reader): Promise<void> {
  await reader.first(statement`select 1 as one`);
}

/** What is wrong with SQLite's file, at most 20 faults; PostgreSQL looks after its own. */
export async function integrityFaults(reader: Reader): Promise<string[]> {
  if (reader.dialect !== "sqlite") return [];
  const rows = await reader.all<{ integrity_check: string }>(raw("pragma integrity_check(20)"));
  return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
}
