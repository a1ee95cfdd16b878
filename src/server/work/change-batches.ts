import type { Reader, Writer } from "../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";
import { jsonText, jsonValue } from "../database/dialect.ts";
import { everySubject, type ChangeEvent } from "./change-event.ts";

/** More events of one kind and workspace in a transaction become one, of every subject. */
const subjectsAtOnce = 100;

/** Rows that one look reads; a reader that misses more forgets everything instead. */
const batchesAtOnce = 1_000;

type StoredEvent = Pick<ChangeEvent, "kind" | "subject">;

const nowText: Statement = byDialect({
  sqlite: raw("strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"),
  postgresql: raw(`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`),
});

/** Stores the events of one transaction: one row for each workspace. */
export async function insertChanges(writer: Writer, events: readonly ChangeEvent[]): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(events, (event) => event.workspaceId)) {
    await writer.run(statement`insert into change_batches (workspace_id, at, events)
      values (${workspaceId}, ${nowText}, ${jsonValue(storedEvents(own))})`);
  }
}

function storedEvents(events: readonly ChangeEvent[]): StoredEvent[] {
  return [...Map.groupBy(events, ({ kind }) => kind)].flatMap(([kind, same]) => {
    const subjects = new Set(same.map(({ subject }) => subject));
    const isBounded = subjects.size <= subjectsAtOnce && !subjects.has(everySubject);
    return isBounded
      ? [...subjects].map((subject) => ({ kind, subject }))
      : [{ kind, subject: everySubject }];
  });
}

/** One row: the changes of a transaction in a workspace. */
export interface ChangeBatch {
  /** Unique in the database; the order of commits on SQLite only. */
  readonly number: number;
  readonly events: readonly ChangeEvent[];
}

export interface ChangeLook {
  /**
   * The position of the next look. On SQLite it is the last number. On PostgreSQL it is the oldest
   * transaction that was running: rows of earlier ones are all in this look or in one before.
   */
  readonly position: bigint;
  readonly batches: readonly ChangeBatch[];
  /** False if there were more rows than a look reads. */
  readonly isWhole: boolean;
}

interface BatchRow {
  readonly position: string;
  readonly number: number | null;
  readonly workspace_id: string;
  readonly events: string;
}

/**
 * Reads the rows for caches from a position on; those of the newest transactions without a position. A row may
 * be read again on PostgreSQL while an older transaction runs, but never less than once: numbers
 * are taken before commits, so that a gap in them says nothing.
 */
export async function readChanges(reader: Reader, from: bigint | undefined): Promise<ChangeLook> {
  const rows = await reader.all<BatchRow>(from === undefined ? newest : since(from));
  const batches = rows.flatMap(({ number, workspace_id: workspaceId, events }) =>
    number === null ? [] : [{ number, events: eventsOf(workspaceId, events) }],
  );
  const position = BigInt(rows.at(-1)?.position ?? from ?? 0);
  return { position, batches, isWhole: batches.length < batchesAtOnce };
}

function eventsOf(workspaceId: string, text: string): ChangeEvent[] {
  // Only this module writes the column.
  const stored = JSON.parse(text) as StoredEvent[];
  return stored.map(({ kind, subject }) => ({ kind, workspaceId, subject }));
}

const newest: Statement = byDialect({
  sqlite: raw(`select cast(coalesce(max(number), 0) as text) as position, null as number
    from change_batches`),
  postgresql: raw(`select pg_snapshot_xmin(pg_current_snapshot())::text as position,
    null as number`),
});

/** The limits of both engines are the same, so that a reader is bounded whatever was written. */
function since(from: bigint): Statement {
  const position = String(from);
  const events = jsonText("change_batches.events");
  return byDialect({
    sqlite: statement`select cast(number as text) as position, number, workspace_id,
        ${events} as events
      from change_batches where number > cast(${position} as integer) and for_caches = 1
      order by number limit ${batchesAtOnce}`,
    postgresql: statement`select bound.position::text as position, number, workspace_id,
        ${events} as events
      from (select pg_snapshot_xmin(pg_current_snapshot()) as position) as bound
        left join change_batches on change_batches.xid >= ${position}::text::xid8
          and change_batches.for_caches = 1
      order by number limit ${batchesAtOnce}`,
  });
}
