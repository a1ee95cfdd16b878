import type { Reader, Writer } from "../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";
import { removeSizes, storedSizes, storeSizes } from "./feed-sizes.ts";
import { cacheKinds, everySubject, installation } from "./change-event.ts";
import type { Transaction, Work } from "./work.ts";

/** Rows that one transaction removes. */
const rowsAtOnce = 1_000;

/** Limits of the feed that is kept. */
export interface FeedLimits {
  /** The age by the database's clock, in days. */
  readonly feedDays: number;
  /** The bytes of the events of one workspace. */
  readonly feedBytes: number;
}

/** Removes rows that are too old, and the oldest ones of workspaces with too many bytes. */
export async function sweepFeed(work: Work, { feedDays, feedBytes }: FeedLimits): Promise<void> {
  const keptSeconds = Math.round(feedDays * 24 * 60 * 60);
  while (await work.write(storeSizes));
  while ((await work.write((tx) => sweepOld(tx, keptSeconds))) > 0);
  const large = await work.read.all<{ workspace_id: string }>(statement`select workspace_id
    from ${storedSizes} group by workspace_id having sum(bytes) > ${feedBytes}`);
  for (const { workspace_id: workspaceId } of large) {
    const excess = await excessOf(work.read, workspaceId, feedBytes);
    if (excess !== undefined) await sweepLarge(work, workspaceId, excess);
  }
}

/** Rows of a day: a platform that has not looked for so long forgets its caches anyway. */
async function sweepOld(writer: Writer, keptSeconds: number): Promise<number> {
  const before = byDialect({
    sqlite: statement`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`-${keptSeconds} seconds`})`,
    postgresql: statement`to_char((clock_timestamp() at time zone 'utc')
      - make_interval(secs => ${keptSeconds}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  });
  const { rows } = await remove(
    writer,
    statement`number <= (select max(number)
      from (select number, at from change_batches order by number limit ${rowsAtOnce}) as oldest
      where at < ${before})`,
  );
  return rows;
}

/** The oldest rows of a workspace, which exceed its bytes. */
interface Excess {
  /** The number of the last of them. */
  readonly last: number;
  /** The transactions that are committed, on PostgreSQL. */
  readonly committed: string | null;
}

/**
 * The oldest rows without which the others have at most these bytes. One statement sums both: the
 * sweep of another platform may remove rows between two.
 */
async function excessOf(
  reader: Reader,
  workspaceId: string,
  bytes: number,
): Promise<Excess | undefined> {
  const committed = byDialect({
    sqlite: raw("null"),
    postgresql: raw("pg_current_snapshot()::text"),
  });
  const own = statement`from ${storedSizes} where workspace_id = ${workspaceId}`;
  const row = await reader.first<Excess>(statement`select number as last, ${committed} as committed
    from (select sum(bytes) - cast(${bytes} as bigint) as excess ${own}) as total
      cross join (select number,
        sum(bytes) over (order by number rows unbounded preceding) as removed ${own}) as sums
    where excess > 0 and removed >= excess order by number limit 1`);
  return row && { last: Number(row.last), committed: row.committed };
}

/**
 * Removes these rows. Another platform may not have seen them: the first transaction that removes
 * one for caches stores a change of every subject. All rows were committed before it, so a platform
 * that has read it has no need of the others.
 */
async function sweepLarge(work: Work, workspaceId: string, excess: Excess): Promise<void> {
  const condition = oldestOf(workspaceId, excess);
  let isReported = false;
  for (let rows = rowsAtOnce; rows >= rowsAtOnce;) {
    const removed = await work.write(async (tx) => {
      const { rows: count, forCaches } = await remove(tx, condition);
      const isFirst = forCaches > 0 && !isReported;
      if (isFirst) reportEvery(tx, workspaceId);
      return { count, isFirst };
    });
    rows = removed.count;
    isReported ||= removed.isFirst;
  }
}

/** The installation has the rows of other platforms' caches: readers of the workspace get none. */
function reportEvery(tx: Transaction, workspaceId: string): void {
  if (workspaceId === installation) {
    for (const kind of cacheKinds) tx.event(kind, everySubject);
    return;
  }
  tx.event("workspace", workspaceId);
  tx.event("object-type", workspaceId);
}

function oldestOf(workspaceId: string, { last, committed }: Excess): Statement {
  return byDialect({
    // Rows of other workspaces may be between these.
    sqlite: statement`number in (select number from feed_sizes
      where workspace_id = ${workspaceId} and number <= ${last}
      order by number limit ${rowsAtOnce})`,
    postgresql: statement`number in (select number from change_batches
      where workspace_id = ${workspaceId} and number <= ${last}
        and pg_visible_in_snapshot(xid, ${committed}::text::pg_snapshot)
      order by number limit ${rowsAtOnce})`,
  });
}

interface Removed {
  readonly rows: number;
  /** Rows that platforms tell each other. */
  readonly forCaches: number;
}

/** Removes rows, and keeps the newest one of each workspace as its floor. */
async function remove(writer: Writer, condition: Statement): Promise<Removed> {
  if (writer.dialect === "postgresql") {
    // One statement: a row that is committed between two would be removed without a floor.
    const counted = await writer.first<CountRow>(statement`with gone as (
        delete from change_batches where ${condition} returning workspace_id, xid, for_caches
      ), floors as (
        insert into feed_floors (workspace_id, removed)
          select workspace_id, max(xid::text::bigint) from gone group by workspace_id
        on conflict (workspace_id) do update
          set removed = greatest(feed_floors.removed, excluded.removed)
      ) select count(*)::int as removed_rows,
        count(*) filter (where for_caches = 1)::int as cache_rows from gone`);
    return { rows: counted?.removed_rows ?? 0, forCaches: counted?.cache_rows ?? 0 };
  }
  await writer.run(statement`insert into feed_floors (workspace_id, removed)
    select workspace_id, max(number) from change_batches where ${condition} group by workspace_id
    on conflict (workspace_id) do update set removed = max(removed, excluded.removed)`);
  const { changedRows } = await writer.run(
    statement`delete from change_batches where ${condition}`,
  );
  if (changedRows > 0) await removeSizes(writer);
  // One process has the database, and its caches have the changes with their commits.
  return { rows: changedRows, forCaches: 0 };
}

interface CountRow {
  readonly removed_rows: number;
  readonly cache_rows: number;
}
