import type { Reader } from "../database/database.ts";
import { raw, statement } from "../database/statement.ts";

const pauseMs = 10;
/** A unit is rolled back after 5 s. */
const waitLimitMs = 6_000;

/**
 * Resolves once no transaction of any platform is open that had begun before the call. Each of them
 * may not have seen what was committed before. At once on SQLite, where writes have an order.
 */
export async function olderTransactionsEnded(reader: Reader): Promise<void> {
  if (reader.dialect === "sqlite") return;
  const at = await reader.first<{ now: string }>(raw("select clock_timestamp()::text as now"));
  const older = statement`select 1 as found from pg_stat_activity
    where datname = current_database() and application_name = 'svc'
      and backend_type = 'client backend' and pid <> pg_backend_pid()
      and xact_start < ${at?.now ?? ""}::text::timestamptz limit 1`;
  for (let waitedMs = 0; waitedMs < waitLimitMs; waitedMs += pauseMs) {
    if ((await reader.first(older)) === undefined) return;
    await Bun.sleep(pauseMs);
  }
}
