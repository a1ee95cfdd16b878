import type { Reader, Writer } from "../database/database.ts";
import { byDialect, raw, statement, type Statement } from "../database/statement.ts";
import { jsonText } from "../database/dialect.ts";
import { rowsPerSizes, storeSizes } from "./feed-sizes.ts";
import { everySubject, isForCaches, type ChangeEvent, type StoredEvent } from "./change-event.ts";

/** More events of a cache's kind in a transaction become one, of every subject. */
const subjectsAtOnce = 100;

/** The JSON of one row; further events of the transaction go to a further row. */
export const rowCharacters = 1024 * 1024;

/** Rows that one look reads; a reader that misses more forgets everything instead. */
const batchesAtOnce = 1_000;

/** Numbers that one block has. */
const numbersAtOnce = 1_024;

/**
 * Numbers of rows on SQLite, for the only platform of a file. The sequence of the table moves past
 * a block of them at once, so that a row does not change the page of the sequence.
 */
export class RowNumbers {
  #next = 0;
  /** The sequence at the end of the block. Another one is of another writer, or of a rollback. */
  #end = 0;
  /** The row of the sequence: a look-up by it takes half of the time of a look-up by name. */
  #sequence = 0;

  /** Stores a row with a number after those of all rows that were ever committed. */
  async insert(writer: Writer, values: RowValues): Promise<void> {
    const isStored =
      this.#next < this.#end && (await writer.run(this.#row(values))).changedRows > 0;
    if (!isStored) await this.#insertInNextBlock(writer, values);
    if (this.#next % rowsPerSizes === 0) await storeSizes(writer);
  }

  async #insertInNextBlock(writer: Writer, values: RowValues): Promise<void> {
    const moved = await writer.first<{ id: number; seq: number }>(statement`update sqlite_sequence
      set seq = seq + ${numbersAtOnce} where name = 'change_batches' returning rowid as id, seq`);
    // The first row of a table makes its sequence.
    if (moved === undefined) return void (await writer.run(insertAfterAll(values)));
    this.#sequence = moved.id;
    this.#end = moved.seq;
    this.#next = moved.seq - numbersAtOnce;
    await writer.run(this.#row(values));
  }

  /** The statement with the next number; it stores nothing if the sequence has moved. */
  #row({ workspaceId, row, isRead }: RowValues): Statement {
    this.#next += 1;
    return statement`insert into change_batches
        (number, workspace_id, at, events, for_caches, bytes)
      select ${this.#next}, ${workspaceId}, ${new Date().toISOString()}, ${row}, ${isRead},
        ${row.length}
      from sqlite_sequence where rowid = ${this.#sequence} and name = 'change_batches'
        and seq = ${this.#end}`;
  }
}

interface RowValues {
  readonly workspaceId: string;
  /** The JSON of the events. */
  readonly row: string;
  readonly isRead: boolean;
}

/**
 * Stores the events of one transaction: a row for each workspace, apart for caches and for other
 * readers, and more where a row would become too long. Without `numbers` the database numbers them.
 */
export async function insertChanges(
  writer: Writer,
  events: readonly ChangeEvent[],
  numbers?: RowNumbers,
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  // Most transactions change one workspace, and either caches or contents.
  const isRead = isForCaches(first);
  const isFirst = (event: ChangeEvent): boolean =>
    event.workspaceId === first.workspaceId && isForCaches(event) === isRead;
  if (events.every(isFirst)) return insertRows(writer, events, numbers);
  for (const own of Map.groupBy(events, ({ workspaceId }) => workspaceId).values()) {
    for (const same of Map.groupBy(own, isForCaches).values()) {
      await insertRows(writer, same, numbers);
    }
  }
}

/** Stores events of one workspace that are all for caches, or all for other readers only. */
async function insertRows(
  writer: Writer,
  events: readonly ChangeEvent[],
  numbers: RowNumbers | undefined,
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const isRead = isForCaches(first);
  for (const row of rowsOf(isRead ? bounded(events) : events)) {
    const values = { workspaceId: first.workspaceId, row, isRead };
    if (writer.dialect === "postgresql") writer.runLast(insertByDatabase(values));
    // On SQLite the end of a unit comes after later units, whose erasures must find the row.
    else if (numbers === undefined) await writer.run(insertAfterAll(values));
    else await numbers.insert(writer, values);
  }
}

/** The clock of SQLite is that of this process. */
function insertAfterAll({ workspaceId, row, isRead }: RowValues): Statement {
  return statement`insert into change_batches (workspace_id, at, events, for_caches, bytes)
    values (${workspaceId}, ${new Date().toISOString()}, ${row}, ${isRead}, ${row.length})`;
}

/** It nests no statement, because the text would be made again for each transaction. */
function insertByDatabase({ workspaceId, row, isRead }: RowValues): Statement {
  return statement`insert into change_batches (workspace_id, at, events, for_caches, bytes)
    values (${workspaceId},
      to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      ${row}::text::jsonb, ${isRead}, ${row.length})`;
}

/** Replaces changes of too many subjects of a kind by one of every subject. */
function bounded(events: readonly ChangeEvent[]): readonly ChangeEvent[] {
  if (events.length === 1) return events;
  return [...Map.groupBy(events, ({ kind }) => kind)].flatMap(([kind, same]) => {
    const subjects = new Set(same.map(({ subject }) => subject));
    const [first] = same;
    const isBounded = subjects.size <= subjectsAtOnce && !subjects.has(everySubject);
    if (isBounded || first === undefined) return same;
    return [{ ...first, kind, subject: everySubject }];
  });
}

/** The JSON texts of the rows for these events, each of which is once in them. */
function rowsOf(events: readonly ChangeEvent[]): string[] {
  const [only] = events;
  if (only !== undefined && events.length === 1) return [`[${textOf(only)}]`];
  const rows: string[] = [];
  let texts: string[] = [];
  let characters = 0;
  const all = events.map(textOf);
  // Events of different subjects differ: their texts need no look for equal ones.
  const subjects = new Set(events.map(({ subject }) => subject));
  for (const text of subjects.size === events.length ? all : new Set(all)) {
    if (texts.length > 0 && characters + text.length > rowCharacters) {
      rows.push(`[${texts.join()}]`);
      texts = [];
      characters = 0;
    }
    texts.push(text);
    characters += text.length;
  }
  if (texts.length > 0) rows.push(`[${texts.join()}]`);
  return rows;
}

/**
 * The part of a statement on PostgreSQL that stores changes of contents which the statement makes.
 * `events` selects one column, the array of them, as JSON.
 */
export function insertMade(workspaceId: string, events: Statement, bytes: number): Statement {
  return statement`insert into change_batches (workspace_id, at, events, for_caches, bytes)
    select ${workspaceId}::text, ${postgresqlNow}, made_events.*, 0, ${bytes}::bigint
    from (${events}) as made_events`;
}

const postgresqlNow = raw(`to_char(clock_timestamp() at time zone 'utc',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** The JSON of an event in its row, which has the workspace. */
export function textOf(change: ChangeEvent): string {
  return JSON.stringify({
    kind: change.kind,
    subject: change.subject,
    op: change.op,
    type: change.type,
    version: change.version,
    changed: change.changed,
    before: change.before,
    after: change.after,
    actor: change.actor,
    request: change.request,
    participants: change.participants,
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
 * Reads the rows for caches from a position on; those of the newest transactions without a
 * position. A row may be read again on PostgreSQL while an older transaction runs, but never less
 * than once: numbers are taken before commits, so that a gap in them says nothing.
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
  return stored.map((event) => ({ ...event, workspaceId }));
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
