import type { Writer } from "../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";
import { allSizes, removeSizes, sizesOf, storeSizes } from "./feed-sizes.ts";
import { cacheKinds, everySubject, installation, type CacheKind } from "./change-event.ts";
import type { Transaction, Work } from "./work.ts";

/** Rows that one transaction removes. */
const rowsAtOnce = 1_000;

/** Kinds of which a change of every subject ends all that is cached of a workspace. */
const cachesOfWorkspace: readonly CacheKind[] = ["workspace", "object-type"];

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
    from (${allSizes}) as sizes group by workspace_id having sum(bytes) > ${feedBytes}`);
  for (const { workspace_id: workspaceId } of large) {
    while (await work.write((tx) => sweepLarge(tx, workspaceId, feedBytes)));
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

/**
 * The newest rows with at most these bytes are left; returns true if more may have to be removed.
 * Another platform may not have seen what is removed: the workspace then has a change of every
 * subject of its caches.
 */
async function sweepLarge(tx: Transaction, workspaceId: string, bytes: number): Promise<boolean> {
  const own = statement`from (${sizesOf(workspaceId, 0)}) as own`;
  const last = statement`(select max(number)
    from (select number, sum(bytes) over (order by number desc) as kept ${own}) as sizes
    where kept > ${bytes})`;
  const { rows, forCaches } = await remove(
    tx,
    byDialect({
      // Rows of other workspaces may be between these.
      sqlite: statement`number in (select number ${own} where number <= ${last}
        order by number limit ${rowsAtOnce})`,
      postgresql: statement`workspace_id = ${workspaceId} and number <= ${last}
        and number <= (select max(number)
          from (select number ${own} order by number limit ${rowsAtOnce}) as oldest)`,
    }),
  );
  if (forCaches > 0) {
    const kinds = workspaceId === installation ? cacheKinds : cachesOfWorkspace;
    for (const kind of kinds) tx.event(kind, everySubject, workspaceId);
  }
  return rows >= rowsAtOnce;
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
      ) select ${count} from gone`);
    return removedOf(counted);
  }
  const counted = await writer.first<CountRow>(
    statement`select ${count} from change_batches where ${condition}`,
  );
  await writer.run(statement`insert into feed_floors (workspace_id, removed)
    select workspace_id, max(number) from change_batches where ${condition} group by workspace_id
    on conflict (workspace_id) do update set removed = max(removed, excluded.removed)`);
  const { changedRows } = await writer.run(
    statement`delete from change_batches where ${condition}`,
  );
  if (changedRows > 0) await removeSizes(writer);
  return removedOf(counted);
}

interface CountRow {
  readonly removed_rows: number;
  readonly cache_rows: number;
}

const count = raw(`cast(count(*) as integer) as removed_rows,
  cast(coalesce(sum(for_caches), 0) as integer) as cache_rows`);

function removedOf(row: CountRow | undefined): Removed {
  return { rows: row?.removed_rows ?? 0, forCaches: row?.cache_rows ?? 0 };
}
