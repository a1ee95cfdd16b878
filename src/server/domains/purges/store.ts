import type { Reader, Writer } from "../../database/database.ts";
import { assignments, insertInto, join, nothing, statement } from "../../database/statement.ts";
import { everySubject, installation } from "../../work/change-event.ts";
import type { Transaction } from "../../work/work.ts";

/**
 * `running` until all is removed; then `settling` until a second pass has removed what requests
 * wrote that had begun before; then `settled`.
 */
export type PurgeState = "running" | "settling" | "settled";

export interface PurgeRow {
  readonly id: string;
  /** The purged workspace; with all below it, where it had children. */
  readonly root_id: string;
  readonly parent_id: string | null;
  readonly state: PurgeState;
  /** JSON: numbers of what was removed, by noun. */
  readonly counts: string;
  /** JSON: the files whose removal has begun and is not counted yet. */
  readonly pending_files: string;
  readonly requested_by: string;
  readonly claimed_by: string | null;
  readonly claimed_until: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  /** When the second pass may begin. */
  readonly settle_at: string | null;
}

export interface PurgeOwner {
  readonly owner: string;
  readonly now: string;
  readonly until: string;
}

export async function insertPurge(writer: Writer, row: PurgeRow): Promise<void> {
  await writer.run(insertInto("workspace_purges", row));
}

/** True if a workspace exists that no purge removes. */
export async function isUnpurged(reader: Reader, workspaceId: string): Promise<boolean> {
  const row = await reader.first(statement`select 1 as one from workspaces
    where id = ${workspaceId} and purge_id is null`);
  return row !== undefined;
}

/** Ends the life of a workspace and of all below it; returns how many. */
export async function markPurged(
  tx: Transaction,
  purge: { readonly id: string; readonly rootId: string; readonly at: string },
): Promise<number> {
  const { changedRows } = await tx.run(statement`with recursive below (id) as (
      select id from workspaces where id = ${purge.rootId}
      union all
      select workspaces.id from workspaces join below on workspaces.parent_key = below.id
    )
    update workspaces set purge_id = ${purge.id}, deleted_at = coalesce(deleted_at, ${purge.at})
    where id in (select id from below) and purge_id is null`);
  tx.event("workspace", everySubject, installation, { op: "purging" });
  return changedRows;
}

export async function purgeById(reader: Reader, id: string): Promise<PurgeRow | undefined> {
  return reader.first<PurgeRow>(statement`select * from workspace_purges where id = ${id}`);
}

/** The purge that removed a workspace; `parentId` where only its parent may know of it. */
export async function purgeOf(
  reader: Reader,
  rootId: string,
  parentId?: string,
): Promise<PurgeRow | undefined> {
  const ofParent = parentId === undefined ? nothing : statement`and parent_id = ${parentId}`;
  return reader.first<PurgeRow>(statement`select * from workspace_purges
    where root_id = ${rootId} ${ofParent} order by created_at desc limit 1`);
}

/** The oldest purge with work to do that no other owner has claimed. */
export async function duePurge(
  reader: Reader,
  { owner, now }: PurgeOwner,
): Promise<PurgeRow | undefined> {
  return reader.first<PurgeRow>(statement`select * from workspace_purges
    where (state = 'running' or (state = 'settling' and settle_at <= ${now}))
      and (claimed_by is null or claimed_by = ${owner} or claimed_until < ${now})
    order by created_at limit 1`);
}

/** Returns false when another owner has claimed it. */
export async function claimPurge(
  tx: Transaction,
  id: string,
  { owner, now, until }: PurgeOwner,
): Promise<boolean> {
  const { changedRows } = await tx.run(statement`update workspace_purges
    set claimed_by = ${owner}, claimed_until = ${until} where id = ${id} and state <> 'settled'
      and (claimed_by is null or claimed_by = ${owner} or claimed_until < ${now})`);
  return changedRows === 1;
}

/** Saves progress under the claim; false when another owner has taken it. */
export async function savePurge(
  writer: Writer,
  id: string,
  { owner, until }: PurgeOwner,
  changes: Partial<Omit<PurgeRow, "id">>,
): Promise<boolean> {
  const set = assignments({ claimed_until: until, ...changes });
  const { changedRows } = await writer.run(statement`update workspace_purges set ${set}
    where id = ${id} and claimed_by = ${owner}`);
  return changedRows === 1;
}

/** Releases the claims of one owner after a crash, or all claims. */
export async function releasePurges(writer: Writer, owner: string | undefined): Promise<void> {
  const which = owner === undefined ? statement`is not null` : statement`= ${owner}`;
  await writer.run(statement`update workspace_purges set claimed_by = null, claimed_until = null
    where claimed_by ${which}`);
}

/** Deletes receipts that settled before a time, at most `limit`; returns how many. */
export async function forgetPurges(writer: Writer, before: string, limit: number): Promise<number> {
  const old = await writer.all<{ id: string }>(statement`select id from workspace_purges
    where state = 'settled' and finished_at < ${before} limit ${limit}`);
  if (old.length === 0) return 0;
  const ids = join(old.map(({ id }) => id));
  await writer.run(statement`delete from purged_workspaces where purge_id in (${ids})`);
  await writer.run(statement`delete from workspace_purges where id in (${ids})`);
  return old.length;
}

/** A workspace of the purge that still has its row; those without children first. */
export async function nextWorkspace(
  reader: Reader,
  purgeId: string,
): Promise<{ readonly id: string; readonly parent_key: string } | undefined> {
  return reader.first(statement`select id, parent_key from workspaces
    where purge_id = ${purgeId} order by depth desc, id limit 1`);
}

export async function removeWorkspace(
  tx: Transaction,
  purgeId: string,
  workspaceId: string,
): Promise<void> {
  await tx.run(statement`delete from workspaces
    where id = ${workspaceId} and purge_id = ${purgeId}`);
  await tx.run(insertInto("purged_workspaces", { id: workspaceId, purge_id: purgeId }));
  tx.event("workspace", workspaceId, installation, { op: "purged" });
}

/** Workspaces that the purge has removed, in order after an id. */
export async function removedWorkspaces(
  reader: Reader,
  purgeId: string,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(statement`select id from purged_workspaces
    where purge_id = ${purgeId} and id > ${afterId} order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}
