import type { Reader } from "../database/database.ts";
import { raw, statement } from "../database/statement.ts";

const pauseMs = 10;

export interface Waiting {
  readonly limitMs: number;
  /** Throws to end the wait. */
  readonly mayContinue?: () => void;
}

/**
 * Resolves once no transaction of any platform is open that had begun before the call, with false
 * if one was still open after the limit. Each of them may not have seen what was committed before.
 * At once on SQLite, where writes have an order.
 */
export async function olderTransactionsEnded(
  reader: Reader,
  { limitMs, mayContinue }: Waiting,
): Promise<boolean> {
  if (reader.dialect === "sqlite") return true;
  const rows = await reader.all<{ id: string }>(openTransactions);
  const older = new Set(rows.map(({ id }) => id));
  const deadline = Date.now() + limitMs;
  while (older.size > 0) {
    mayContinue?.();
    if (Date.now() > deadline) return false;
    await Bun.sleep(pauseMs);
    const open = await reader.all<{ id: string }>(
      statement`${openTransactions} and virtualtransaction = any(${`{${[...older].join()}}`}::text::text[])`,
    );
    const stillOpen = new Set(open.map(({ id }) => id));
    for (const id of older) if (!stillOpen.has(id)) older.delete(id);
  }
  return true;
}

/**
 * Each transaction holds a lock on its virtual number, which every role sees. A role that is not
 * that of the other sessions sees neither when their transactions began nor what they read. A
 * pooler may add its address to the name.
 */
const openTransactions = raw(`select virtualtransaction as id from pg_locks
  where locktype = 'virtualxid' and pid <> pg_backend_pid() and pid in (select pid
    from pg_stat_activity where datname = current_database() and application_name like 'svc%')`);
