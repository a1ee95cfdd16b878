import type { Writer } from "../database/database.ts";
import { byDialect, statement, type Statement } from "../database/statement.ts";
import { allSizes, removeSizes, sizesOf, storeSizes } from "./feed-sizes.ts";
import type { Work } from "./work.ts";

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
    from (${allSizes}) as sizes group by workspace_id having sum(bytes) > ${feedBytes}`);
  for (const { workspace_id: workspaceId } of large) {
    while ((await work.write((tx) => sweepLarge(tx, workspaceId, feedBytes))) > 0);
  }
}

function sweepOld(writer: Writer, keptSeconds: number): Promise<number> {
  const before = byDialect({
    sqlite: statement`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`-${keptSeconds} seconds`})`,
    postgresql: statement`to_char((clock_timestamp() at time zone 'utc')
      - make_interval(secs => ${keptSeconds}), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  });
  return remove(
    writer,
    statement`number <= (select max(number)
      from (select number, at from change_batches order by number limit ${rowsAtOnce}) as oldest
      where at < ${before})`,
  );
}

/** The newest rows with at most these bytes are left. */
function sweepLarge(writer: Writer, workspaceId: string, bytes: number): Promise<number> {
  const own = statement`from (${sizesOf(workspaceId, 0)}) as own`;
  const last = statement`(select max(number)
    from (select number, sum(bytes) over (order by number desc) as kept ${own}) as sizes
    where kept > ${bytes})`;
  return remove(
    writer,
    byDialect({
      // Rows of other workspaces may be between these.
      sqlite: statement`number in (select number ${own} where number <= ${last}
        order by number limit ${rowsAtOnce})`,
      postgresql: statement`workspace_id = ${workspaceId} and number <= ${last}
        and number <= (select max(number)
          from (select number ${own} order by number limit ${rowsAtOnce}) as oldest)`,
    }),
  );
}

/** Removes rows, and keeps the newest one of each workspace as its floor. */
async function remove(writer: Writer, condition: Statement): Promise<number> {
  if (writer.dialect === "postgresql") {
    // One statement: a row that is committed between two would be removed without a floor.
    const rows = await writer.all<{ removed_rows: number }>(statement`with gone as (
        delete from change_batches where ${condition} returning workspace_id, xid
      ), floors as (
        insert into feed_floors (workspace_id, removed)
          select workspace_id, max(xid::text::bigint) from gone group by workspace_id
        on conflict (workspace_id) do update
          set removed = greatest(feed_floors.removed, excluded.removed)
      ) select count(*)::int as removed_rows from gone`);
    return rows[0]?.removed_rows ?? 0;
  }
  await writer.run(statement`insert into feed_floors (workspace_id, removed)
    select workspace_id, max(number) from change_batches where ${condition} group by workspace_id
    on conflict (workspace_id) do update set removed = max(removed, excluded.removed)`);
  const { changedRows } = await writer.run(
    statement`delete from change_batches where ${condition}`,
  );
  if (changedRows > 0) await removeSizes(writer);
  return changedRows;
}
