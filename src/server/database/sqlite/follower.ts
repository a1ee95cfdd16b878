import type { Database, Scanner } from "../database.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";
import { fullTuning } from "../../kit/tuning.ts";
import type { SharedReads } from "../open-options.ts";
import { ExecutingReader } from "../reader.ts";
import { SqliteReads } from "./reads.ts";

/**
 * The database in a thread that only reads; everything else throws `LeaderOnlyError` without
 * effect.
 */
export function followSqlite(path: string, shared: SharedReads): Database {
  const reads = new SqliteReads(path, shared);
  const refuse = async (): Promise<never> => {
    throw new LeaderOnlyError("This thread only reads");
  };
  const scan: Scanner = Object.assign(new ExecutingReader("sqlite", refuse), {
    with: () => new ExecutingReader("sqlite", refuse),
  });
  return {
    dialect: "sqlite",
    in: () => ({ read: reads.reader, scan, write: refuse, snapshot: refuse }),
    tuning: fullTuning,
    ids: shared.ids,
    merged: () => refuse,
    close: async () => reads.close(),
  };
}
