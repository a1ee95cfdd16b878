import type { Reader } from "./database.ts";
import { raw, statement } from "./statement.ts";

/** Runs a trivial statement; throws a `StorageError` when the database does not answer. */
export async function askDatabase(reader: Reader): Promise<void> {
  await reader.first(statement`select 1 as one`);
}

/** The faults of SQLite's file, at most 20; none on PostgreSQL, which checks its own. */
export async function integrityFaults(reader: Reader): Promise<string[]> {
  if (reader.dialect !== "sqlite") return [];
  const rows = await reader.all<{ integrity_check: string }>(raw("pragma integrity_check(20)"));
  return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
}
