import type { Reader, Writer } from "../../database/database.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import {
  assignments,
  insertInto,
  join,
  nothing,
  raw,
  statement,
} from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";

/** A source; its role is the one of its key. */
export interface SourceRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly name: string;
  /** The scheme is stored as JSON. */
  readonly scheme: string;
  readonly mapping: string;
  /** The state is `active`, `disabled`, or `imported` for one of an archive. */
  readonly state: string;
  readonly key_id: string;
  /** The token of the key, sealed. */
  readonly key_token: string;
  /** The secret of the sender, sealed. */
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_until: string | null;
  /** A JSON array of the secrets before the former one, sealed; null without one. */
  readonly earlier_secrets: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A source with its key; both columns are null once the key has ended. */
export interface SourceRow extends SourceRecord {
  readonly role: string | null;
}

const selection = raw(`select webhook_sources.*, (select service_key_grants.role
    from service_keys join service_key_grants on service_key_grants.key_id = service_keys.id
    where service_keys.id = webhook_sources.key_id and service_keys.revoked_at is null
      and service_key_grants.workspace_id = webhook_sources.workspace_id) as role
  from webhook_sources`);

export async function insertSource(writer: Writer, row: SourceRecord): Promise<void> {
  await writer.run(insertInto("webhook_sources", row));
}

/** The source of a workspace that is not deleted. */
export async function sourceById(reader: Reader, id: string): Promise<SourceRow | undefined> {
  return reader.first<SourceRow>(statement`${selection}
      join workspaces on workspaces.id = webhook_sources.workspace_id
    where webhook_sources.id = ${id} and workspaces.deleted_at is null`);
}

export async function sourceOf(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<SourceRow | undefined> {
  return reader.first<SourceRow>(statement`${selection}
    where webhook_sources.workspace_id = ${workspaceId} and webhook_sources.id = ${id}`);
}

export function sourcesOf(
  reader: Reader,
  page: NewestPage & { readonly workspaceId: string },
): Promise<SourceRow[]> {
  const columns = { time: "webhook_sources.created_at", id: "webhook_sources.id" };
  return reader.all<SourceRow>(statement`${selection}
    where webhook_sources.workspace_id = ${page.workspaceId} ${newestFirst(page, columns)}`);
}

export function countSources(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from webhook_sources where workspace_id = ${workspaceId}`);
}

/** True if the workspace has a source of this name and time. */
export async function hasSource(
  reader: Reader,
  workspaceId: string,
  { name, created_at }: Pick<SourceRecord, "name" | "created_at">,
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from webhook_sources
    where workspace_id = ${workspaceId} and name = ${name} and created_at = ${created_at}`);
  return row !== undefined;
}

type SourceKey = Pick<SourceRecord, "workspace_id" | "id">;

export async function updateSource(
  writer: Writer,
  key: SourceKey,
  changes: Partial<Omit<SourceRecord, keyof SourceKey>>,
): Promise<void> {
  await writer.run(statement`update webhook_sources set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
}

/** Deletes a source with its calls. */
export async function deleteSource(tx: Transaction, key: SourceKey): Promise<void> {
  const { workspace_id: workspaceId, id } = key;
  await tx.run(statement`delete from webhook_received
    where workspace_id = ${workspaceId} and source_id = ${id}`);
  await tx.run(statement`delete from webhook_sources
    where workspace_id = ${workspaceId} and id = ${id}`);
  tx.event("setting", id, workspaceId, { op: "deleted", type: "webhook-source" });
}

/** A call that a source has received. */
export interface ReceivedRecord {
  readonly workspace_id: string;
  readonly source_id: string;
  readonly event_id: string;
  readonly id: string;
  readonly state: string;
  /** Number of times that it was let take effect: 1 and the replays. */
  readonly attempts: number;
  /** The header fields are stored as JSON. */
  readonly headers: string;
  /** The body is null after an erasure. */
  readonly body: Uint8Array | null;
  readonly body_size: number;
  readonly error: string | null;
  readonly effect: string | null;
  readonly subject: string | null;
  readonly created_at: string;
  readonly processed_at: string | null;
  readonly expires_at: string;
}

export type ReceivedRow = Omit<ReceivedRecord, "headers" | "body">;

const listed = raw(`select workspace_id, source_id, event_id, id, state, attempts, body_size, error,
  effect, subject, created_at, processed_at, expires_at from webhook_received`);

/** Stores a call unless its event was stored before; returns the id of the stored one. */
export async function storeReceived(
  writer: Writer,
  row: ReceivedRecord,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const key = statement`workspace_id = ${row.workspace_id} and source_id = ${row.source_id}
    and event_id = ${row.event_id}`;
  await writer.run(statement`delete from webhook_received
    where ${key} and expires_at < ${row.created_at}`);
  const { changedRows } = await writer.run(statement`${insertInto("webhook_received", row)}
    on conflict (workspace_id, source_id, event_id) do nothing`);
  if (changedRows === 1) return { id: row.id, isNew: true };
  const stored = await writer.first<{ id: string }>(
    statement`select id from webhook_received where ${key}`,
  );
  if (stored === undefined) throw new Error("the database has neither stored nor kept a call");
  return { id: stored.id, isNew: false };
}

export async function receivedById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<ReceivedRecord | undefined> {
  return reader.first<ReceivedRecord>(statement`select * from webhook_received
    where workspace_id = ${workspaceId} and id = ${id}`);
}

interface ReceivedSelection {
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly state?: string | undefined;
}

function selected({ workspaceId, sourceId, state }: ReceivedSelection) {
  return statement`where workspace_id = ${workspaceId} and source_id = ${sourceId}
    ${state === undefined ? nothing : statement`and state = ${state}`}`;
}

export function receivedOf(
  reader: Reader,
  page: NewestPage & ReceivedSelection,
): Promise<ReceivedRow[]> {
  return reader.all<ReceivedRow>(statement`${listed} ${selected(page)} ${newestFirst(page)}`);
}

export function countReceived(reader: Reader, selection_: ReceivedSelection): Promise<number> {
  return countRows(reader, statement`from webhook_received ${selected(selection_)}`);
}

export async function updateReceived(
  writer: Writer,
  { workspace_id: workspaceId, id }: Pick<ReceivedRecord, "workspace_id" | "id">,
  changes: Partial<
    Pick<ReceivedRecord, "state" | "attempts" | "error" | "effect" | "subject" | "processed_at">
  >,
): Promise<void> {
  await writer.run(statement`update webhook_received set ${assignments(changes)}
    where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Forgets calls whose time is over; returns how many. */
export async function removeExpired(writer: Writer, at: string, limit: number): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from webhook_received
    where (workspace_id, id) in (select workspace_id, id from webhook_received
      where expires_at < ${at} order by expires_at limit ${limit})`);
  return changedRows;
}

/** Removes the content of the calls that changed these records or documents; the ids stay. */
export async function eraseContent(
  writer: Writer,
  workspaceId: string,
  subjects: readonly string[],
): Promise<void> {
  await writer.run(statement`update webhook_received
    set body = null, headers = '{}', error = null
    where workspace_id = ${workspaceId} and subject in (${join(subjects)})`);
}
