import { jsonText } from "../../database/dialect.ts";
import type { Reader } from "../../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../../database/statement.ts";
import { sizesOf } from "../../work/feed-sizes.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import { boundedBy, snapshotOf, snapshotText, type Place, type Snapshot } from "./position.ts";

/** The end of the feed: every change that is committed is before it. */
export interface FeedEnd {
  readonly epoch: string;
  /** The number of the last row on SQLite; 0 on PostgreSQL. */
  readonly number: number;
  /** The current one, whose numbers a crash may take back. */
  readonly snapshot: Snapshot | undefined;
  /** The snapshot up to the newest row of the workspace, for positions. */
  readonly seen: Snapshot | undefined;
}

interface EndRow {
  readonly epoch: string;
  readonly number: number;
  readonly snapshot: string | null;
  readonly newest: string | null;
}

/**
 * The newest row is ordered by the column: a bare name would be the text of the result. On
 * PostgreSQL the epoch also has the transaction that wrote its row, which is another one after
 * each restore of a dump, and the timeline, which is another one after each failover.
 */
const endColumns = (workspaceId: string): Statement =>
  byDialect({
    sqlite: statement`epoch, null as snapshot, null as newest,
      max(coalesce((select max(number) from change_batches), 0), coalesce((select removed
        from feed_floors where workspace_id = ${workspaceId}), 0)) as number`,
    postgresql: statement`epoch || 'x' || xmin::text || 't' || svc_timeline() as epoch, 0 as number,
      pg_current_snapshot()::text as snapshot, coalesce((select xid::text from change_batches
          where workspace_id = ${workspaceId} order by change_batches.xid desc limit 1),
        (select removed::text from feed_floors where workspace_id = ${workspaceId}), '0') as newest`,
  });

export function readEnd(reader: Reader, workspaceId: string): Promisable<FeedEnd> {
  const end = statement`select ${endColumns(workspaceId)} from feed_epochs`;
  return chained(reader.first<EndRow>(end), endOf);
}

function endOf(row: EndRow | undefined): FeedEnd {
  if (row === undefined) throw new Error("the database has no epoch of the feed");
  const { epoch, number, newest } = row;
  const snapshot = row.snapshot === null ? undefined : snapshotOf(row.snapshot);
  return { epoch, number, snapshot, seen: snapshot && boundedBy(snapshot, BigInt(newest ?? 0)) };
}

export interface FeedRow {
  readonly number: number;
  readonly at: string;
  /** JSON text of the events. */
  readonly events: string;
}

export interface FeedLook extends FeedEnd {
  /** On SQLite no row of this database has had a later number, also not a removed one. */
  readonly possible: number;
  /** The newest row that was removed, by its number or its transaction; 0 without one. */
  readonly removed: bigint;
  /** The row of a place within a page still exists: those that were removed come before it. */
  readonly isPlaceKept: boolean;
  readonly rows: readonly FeedRow[];
  /** There may be more rows: the look has as many, or as many characters, as one reads. */
  readonly isFull: boolean;
}

/**
 * A look ends with the row that reaches this many characters, so that readers of large transactions
 * that wait for their clients hold little each. One row has at most 1 MiB.
 */
const charactersAtOnce = 256 * 1024;

type LookRow = EndRow &
  Partial<Record<"row_number", number | null>> & {
    readonly removed: string | null;
    readonly possible: number;
    readonly kept: number;
    readonly at: string | null;
    readonly events: string | null;
    readonly earlier: string | number | null;
    readonly bytes: number | null;
  };

/** Reads rows of a workspace after a place, in one statement with the end and the floor. */
export async function readRows(
  reader: Reader,
  workspaceId: string,
  place: Place,
  limit: number,
): Promise<FeedLook> {
  const rows = await reader.all<LookRow>(statement`select feed.*, page.number as row_number,
      page.at, page.events, page.bytes, page.earlier
    from (select ${endColumns(workspaceId)}, (select cast(removed as text) from feed_floors
        where workspace_id = ${workspaceId}) as removed, ${possible} as possible,
        ${keptColumn(workspaceId, place)} as kept from feed_epochs) as feed
      left join (select change_batches.number, at, change_batches.bytes, earlier,
          ${jsonText("change_batches.events")} as events
        from (select number, sum(bytes) over (order by number) - bytes as earlier
            from (${sizesAfter(workspaceId, place)}
              order by number limit ${limit}) as next) as summed
          join change_batches on change_batches.number = summed.number
        where earlier < ${charactersAtOnce}) as page on 1 = 1
    order by page.number`);
  const found = rows.flatMap(({ row_number: number, at, events }) =>
    typeof number === "number" && at !== null && events !== null ? [{ number, at, events }] : [],
  );
  const last = rows.at(-1);
  const characters = Number(last?.earlier ?? 0) + Number(last?.bytes ?? 0);
  return {
    ...endOf(rows[0]),
    possible: Number(rows[0]?.possible ?? 0),
    removed: BigInt(rows[0]?.removed ?? 0),
    isPlaceKept: Number(rows[0]?.kept) > 0,
    isFull: found.length >= limit || characters >= charactersAtOnce,
    rows: found,
  };
}

/** Rows have numbers of a block that the sequence has moved past. */
const possible = byDialect({
  sqlite: raw("(select seq from sqlite_sequence where name = 'change_batches')"),
  postgresql: raw("0"),
});

/** 1 where the row of a place within a page exists. */
function keptColumn(workspaceId: string, { number, upTo }: Place): Statement {
  if (upTo === undefined) return raw("0");
  return statement`(select count(*) from change_batches
    where workspace_id = ${workspaceId} and number = ${number})`;
}

/** Selects the rows after a place; one of which some events were read is read again. */
function sizesAfter(workspaceId: string, { number, index, seen, upTo }: Place): Statement {
  const sizes = sizesOf(workspaceId, index === undefined ? number : number - 1);
  if (seen === undefined) return sizes;
  const isInPage =
    upTo === undefined
      ? raw("true")
      : statement`pg_visible_in_snapshot(xid, ${snapshotText(upTo)}::text::pg_snapshot)`;
  return statement`${sizes} and ${isUnseen(seen)} and ${isInPage}`;
}

/**
 * Rows that a snapshot does not show. These two ranges of an index are all of them: a transaction
 * that runs for hours makes one more number to look for, and no row is held back by it.
 */
function isUnseen({ xmax, running }: Snapshot): Statement {
  const later = statement`xid >= ${String(xmax)}::text::xid8`;
  if (running.length === 0) return later;
  return statement`(${later} or xid = any(${`{${running.join(",")}}`}::text::xid8[]))`;
}

export interface ChangedWorkspaces {
  readonly workspaceIds: readonly string[];
  /** The snapshot for the next look. */
  readonly seen: Snapshot;
}

/**
 * Workspaces with rows that a snapshot does not show; undefined if the snapshot is not of this
 * database. Without a snapshot there is none.
 */
export async function readWorkspaces(
  reader: Reader,
  seen: Snapshot | undefined,
): Promise<ChangedWorkspaces | undefined> {
  const changed = seen === undefined ? raw("false") : isUnseen(seen);
  const rows = await reader.all<{ snapshot: string; newest: string; workspace_id: string | null }>(
    statement`select pg_current_snapshot()::text as snapshot, workspace_id,
        coalesce((select xid::text from change_batches order by change_batches.xid desc limit 1), '0') as newest
      from (values (1)) as always left join (select distinct workspace_id from change_batches
        where ${changed}) as changed on true`,
  );
  const [first] = rows;
  const snapshot = snapshotOf(first?.snapshot ?? "");
  if (seen !== undefined && seen.xmax > snapshot.xmax) return undefined;
  return {
    workspaceIds: rows.flatMap(({ workspace_id: id }) => (id === null ? [] : [id])),
    seen: boundedBy(snapshot, BigInt(first?.newest ?? 0)),
  };
}
