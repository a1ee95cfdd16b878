import { auditDigest, firstDigest } from "#lib/audit-chain.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { isOneOf, textContains } from "../../database/dialect.ts";
import { countRows } from "../../database/row-pages.ts";
import {
  insertInto,
  join,
  raw,
  statement,
  valueRows,
  type Parameter,
  type Statement,
} from "../../database/statement.ts";
import type { NewEntry } from "./entry.ts";

export interface AuditRow {
  readonly workspace_id: string;
  readonly sequence: number;
  readonly at: string;
  readonly request_id: string;
  readonly actor: string;
  readonly actor_name: string | null;
  readonly action: string;
  readonly outcome: string;
  readonly status: number;
  readonly code: string | null;
  readonly method: string;
  readonly path: string;
  readonly address: string;
  readonly changes: string | null;
  readonly digest: string;
}

export interface HeadRow {
  readonly workspace_id: string;
  readonly sequence: number;
  readonly digest: string;
  readonly removed_sequence: number;
  readonly removed_digest: string;
}

/** The end of a log; that of an empty one before its first entry. */
export async function headOf(reader: Reader, workspaceId: string): Promise<HeadRow> {
  const row = await reader.first<HeadRow>(
    statement`select * from audit_heads where workspace_id = ${workspaceId}`,
  );
  if (row === undefined) {
    return {
      workspace_id: workspaceId,
      sequence: 0,
      digest: firstDigest,
      removed_sequence: 0,
      removed_digest: firstDigest,
    };
  }
  return {
    ...row,
    sequence: Number(row.sequence),
    removed_sequence: Number(row.removed_sequence),
  };
}

/** Appends entries to the logs of their workspaces, each with the digest of the one before. */
export async function appendEntries(writer: Writer, entries: readonly NewEntry[]): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(entries, (entry) => entry.workspaceId)) {
    const head = await headOf(writer, workspaceId);
    let { sequence, digest } = head;
    const rows = own.map((entry): AuditRow => {
      sequence += 1;
      digest = auditDigest(digest, { ...entry, sequence });
      return rowOf(entry, sequence, digest);
    });
    // The head first: of two transactions PostgreSQL lets one run again, where equal sequences
    // would be a duplicate.
    await writer.run(statement`${insertInto("audit_heads", { ...head, sequence, digest })}
      on conflict (workspace_id) do update
        set sequence = excluded.sequence, digest = excluded.digest`);
    await insertRows(writer, rows);
  }
}

function rowOf(entry: NewEntry, sequence: number, digest: string): AuditRow {
  return {
    workspace_id: entry.workspaceId,
    sequence,
    at: entry.at,
    request_id: entry.requestId,
    actor: entry.actor,
    actor_name: entry.actorName,
    action: entry.action,
    outcome: entry.outcome,
    status: entry.status,
    code: entry.code,
    method: entry.method,
    path: entry.path,
    address: entry.address,
    changes: entry.changes === null ? null : JSON.stringify(entry.changes),
    digest,
  };
}

const columns = raw(`workspace_id, sequence, at, request_id, actor, actor_name, action, outcome,
  status, code, method, path, address, changes, digest`);

function insertOf(rows: readonly AuditRow[]): Statement {
  return statement`insert into audit_entries (${columns}) ${valueRows(rows.map(valuesOf))}`;
}

function valuesOf(row: AuditRow): Parameter[] {
  return [
    row.workspace_id,
    row.sequence,
    row.at,
    row.request_id,
    row.actor,
    row.actor_name,
    row.action,
    row.outcome,
    row.status,
    row.code,
    row.method,
    row.path,
    row.address,
    row.changes,
    row.digest,
  ];
}

/** Rows of one statement on SQLite, whose texts stay prepared. */
const rowsAtOnce = [32, 8] as const;

async function insertRows(writer: Writer, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 1 || writer.dialect === "sqlite") {
    for (let at = 0; at < rows.length;) {
      const count = rowsAtOnce.find((each) => at + each <= rows.length) ?? 1;
      await writer.run(insertOf(rows.slice(at, at + count)));
      at += count;
    }
    return;
  }
  await writer.run(statement`insert into audit_entries (${columns})
    select ${columns} from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as given(workspace_id text, sequence bigint, at text, request_id text, actor text,
        actor_name text, action text, outcome text, status bigint, code text, method text,
        path text, address text, changes text, digest text)`);
}

/** Selects the workspaces that keep a log: also deleted ones, but none that is being purged. */
export async function workspacesWithLog(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await reader.all<{ id: string }>(
    statement`select id from workspaces where purge_id is null and ${isOneOf(raw("id"), ids)}`,
  );
  return new Set(rows.map(({ id }) => id));
}

export interface EntryFilter {
  readonly workspaceId: string;
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly outcome?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface EntryPage {
  readonly isAscending: boolean;
  /** The sequence of the item before the page. */
  readonly after: number | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function entries(
  reader: Reader,
  filter: EntryFilter,
  { isAscending, after, limit, offset }: EntryPage,
): Promise<AuditRow[]> {
  const position =
    after === undefined
      ? raw("true")
      : isAscending
        ? statement`sequence > ${after}`
        : statement`sequence < ${after}`;
  const rows = await reader.all<AuditRow>(statement`select ${columns} from audit_entries
    where ${conditionOf(filter)} and ${position}
    order by sequence ${raw(isAscending ? "asc" : "desc")} limit ${limit} offset ${offset}`);
  return rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    status: Number(row.status),
  }));
}

export async function countEntries(reader: Reader, filter: EntryFilter): Promise<number> {
  return countRows(reader, statement`from audit_entries where ${conditionOf(filter)}`);
}

function conditionOf(filter: EntryFilter): Statement {
  const { workspaceId, actor, action, outcome, requestId, since, until } = filter;
  const conditions = [
    statement`workspace_id = ${workspaceId}`,
    ...(actor === undefined ? [] : [statement`actor = ${actor}`]),
    ...(action === undefined ? [] : [actionCondition(action)]),
    ...(outcome === undefined ? [] : [statement`outcome = ${outcome}`]),
    // The condition fits the index of refusals.
    ...(outcome === undefined || outcome === "done" ? [] : [raw("outcome <> 'done'")]),
    ...(requestId === undefined ? [] : [statement`request_id = ${requestId}`]),
    ...(since === undefined ? [] : [statement`at >= ${since}`]),
    ...(until === undefined ? [] : [statement`at < ${until}`]),
  ];
  return join(conditions, " and ");
}

function actionCondition(action: string): Statement {
  if (!action.endsWith(".*")) return statement`action = ${action}`;
  const start = action.slice(0, -1);
  return statement`substr(action, 1, ${start.length}) = ${start}`;
}

/**
 * Entries after a sequence that have more values than names and ids: a changed state, or a path
 * that names a record by a value.
 */
export async function entriesWithValues(
  reader: Reader,
  workspaceId: string,
  after: number,
  limit: number,
): Promise<AuditRow[]> {
  const rows = await reader.all<AuditRow>(statement`select ${columns} from audit_entries
    where workspace_id = ${workspaceId} and sequence > ${after}
      and (${textContains(raw("path"), "/by/")} or ${textContains(raw("changes"), '"before":')}
        or ${textContains(raw("changes"), '"after":')})
    order by sequence limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    status: Number(row.status),
  }));
}

/** Puts entries without some of their values into the places of the same entries. */
export async function replaceEntries(writer: Writer, rows: readonly AuditRow[]): Promise<void> {
  for (const row of rows) {
    await writer.run(statement`delete from audit_entries
      where workspace_id = ${row.workspace_id} and sequence = ${row.sequence}`);
    await writer.run(insertOf([row]));
  }
}

/** Workspaces with a log whose first entry is older. */
export async function logsBefore(reader: Reader, before: string, limit: number): Promise<string[]> {
  const rows = await reader.all<{ workspace_id: string }>(statement`select head.workspace_id
    from audit_heads as head join audit_entries as entry
      on entry.workspace_id = head.workspace_id and entry.sequence = head.removed_sequence + 1
    where entry.at < ${before} limit ${limit}`);
  return rows.map((row) => row.workspace_id);
}

/** The entries that the retention has removed. */
export interface Removed {
  /** The time of the last removed entry. */
  readonly at: string;
  /** Entries before this time were to be removed. */
  readonly before: string;
}

/** Removes the oldest entries of a log, at most `limit`; undefined if there were none. */
export async function removeBefore(
  writer: Writer,
  workspaceId: string,
  before: string,
  limit: number,
): Promise<Removed | undefined> {
  const head = await headOf(writer, workspaceId);
  const last = await writer.first<{ sequence: number; digest: string; at: string }>(statement`
    select sequence, digest, at from audit_entries
    where workspace_id = ${workspaceId} and at < ${before}
      and sequence > ${head.removed_sequence}
      and sequence <= ${head.removed_sequence + limit}
    order by sequence desc limit 1`);
  if (last === undefined) return undefined;
  await writer.run(statement`delete from audit_entries
    where workspace_id = ${workspaceId} and sequence <= ${last.sequence}`);
  await writer.run(statement`update audit_heads
    set removed_sequence = ${last.sequence}, removed_digest = ${last.digest}
    where workspace_id = ${workspaceId}`);
  return { at: last.at, before };
}
