import type { Reader } from "../../database/database.ts";
import { assignments, insertInto, nothing, raw, statement } from "../../database/statement.ts";
import { installation } from "../../work/change-event.ts";
import type { Transaction } from "../../work/work.ts";

export interface WorkspaceRecord {
  readonly id: string;
  readonly parent_id: string | null;
  /** The parent's id, empty for a root: slugs are unique below one parent and among roots. */
  readonly parent_key: string;
  /** The level below the root, which is 0. */
  readonly depth: number;
  readonly slug: string;
  readonly display_name: string;
  readonly domain: string | null;
  readonly usecase: string;
  readonly industry: string | null;
  readonly starter_template: string;
  readonly home_region: string;
  readonly time_zone: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Null while the workspace lives; every route but the removal ones answers 404 afterwards. */
  readonly deleted_at: string | null;
  readonly deleted_by: string | null;
  /** The end of the time in which a deleted workspace can be restored. */
  readonly purge_at: string | null;
  /** Set when the workspace's purge begins, and never reset. */
  readonly purge_id: string | null;
}

/** A workspace with the role of a member, as lists have it. */
export type WorkspaceWithRole = Pick<WorkspaceRecord, (typeof listedColumns)[number]> & {
  readonly role: string;
};

const listedColumns = [
  "id",
  "parent_id",
  "slug",
  "display_name",
  "domain",
  "usecase",
  "industry",
  "starter_template",
  "home_region",
  "time_zone",
  "created_at",
  "deleted_at",
  "purge_at",
] as const satisfies readonly (keyof WorkspaceRecord)[];
const listed = raw(listedColumns.map((name) => `workspaces.${name}`).join(", "));

export async function workspaceById(
  reader: Reader,
  id: string,
): Promise<WorkspaceRecord | undefined> {
  return reader.first<WorkspaceRecord>(
    statement`select * from workspaces where id = ${id} and deleted_at is null`,
  );
}

/** A workspace that is not purged, also one that is deleted. */
export async function restorableById(
  reader: Reader,
  id: string,
): Promise<WorkspaceRecord | undefined> {
  return reader.first<WorkspaceRecord>(
    statement`select * from workspaces where id = ${id} and purge_id is null`,
  );
}

/** A workspace in every state. */
export async function anyWorkspaceById(
  reader: Reader,
  id: string,
): Promise<WorkspaceRecord | undefined> {
  return reader.first<WorkspaceRecord>(statement`select * from workspaces where id = ${id}`);
}

export async function countChildren(
  reader: Reader,
  id: string,
): Promise<{ readonly living: number; readonly deleted: number }> {
  const row = await reader.first<{ living: number; all: number }>(statement`select
      count(*) as "all", count(case when deleted_at is null then 1 end) as living
    from workspaces where parent_key = ${id}`);
  const living = Number(row?.living ?? 0);
  return { living, deleted: Number(row?.all ?? 0) - living };
}

export async function changeWorkspace(
  tx: Transaction,
  id: string,
  change:
    | Pick<WorkspaceRecord, "deleted_at" | "deleted_by" | "purge_at">
    | Pick<WorkspaceRecord, "time_zone" | "updated_at">,
): Promise<void> {
  await tx.run(statement`update workspaces set ${assignments(change)} where id = ${id}`);
  const isDeletion = "deleted_at" in change && change.deleted_at !== null;
  const op = !("deleted_at" in change) ? "updated" : isDeletion ? "deleted" : "restored";
  tx.event("workspace", id, installation, { op });
  tx.event("workspace", id, id, { op });
}

/** Deleted workspaces whose time is over, those without children first. */
export async function overdueWorkspaces(
  reader: Reader,
  now: string,
  limit: number,
): Promise<WorkspaceRecord[]> {
  return reader.all<WorkspaceRecord>(statement`select * from workspaces
    where purge_at <= ${now} and purge_id is null
      and not exists (select 1 from workspaces as children where children.parent_key = workspaces.id)
    order by purge_at, id limit ${limit}`);
}

/** Returns false when a sibling (or, for a root, another root) has the slug. */
export async function insertWorkspace(tx: Transaction, row: WorkspaceRecord): Promise<boolean> {
  const { changedRows } = await tx.run(
    statement`${insertInto("workspaces", row)} on conflict (parent_key, slug) do nothing`,
  );
  if (changedRows === 0) return false;
  tx.event("workspace", row.id, installation, { op: "created" });
  tx.event("workspace", row.id, row.id, { op: "created" });
  return true;
}

export async function workspaceIdsAfter(
  reader: Reader,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(statement`select id from workspaces
    where id > ${afterId} order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

export interface HeldWorkspaces {
  /** A user, or a key of a service account. */
  readonly oid: string;
  readonly areDeleted?: boolean | undefined;
  /** Selects the workspace with this id alone. */
  readonly id?: string | undefined;
  /** Selects this workspace and its children. */
  readonly nearId?: string | undefined;
  readonly limit: number;
  readonly offset?: number;
}

/** A page of the workspaces of a user or a key: roots first, then by depth and slug. */
export async function workspacesOf(
  reader: Reader,
  { oid, areDeleted, id, nearId, limit, offset = 0 }: HeldWorkspaces,
): Promise<WorkspaceWithRole[]> {
  const state =
    areDeleted === true
      ? raw("workspaces.deleted_at is not null and workspaces.purge_id is null")
      : raw("workspaces.deleted_at is null");
  const only = id === undefined ? nothing : statement`and workspaces.id = ${id}`;
  const near =
    nearId === undefined
      ? nothing
      : statement`and (workspaces.id = ${nearId} or workspaces.parent_id = ${nearId})`;
  // The page is cut before its columns are read.
  const page = statement`select workspaces.id, held.role
    from (select workspace_id, role from members where oid = ${oid} and status = 'active'
        union all select workspace_id, role from service_key_grants where key_id = ${oid}) as held
      join workspaces on workspaces.id = held.workspace_id
    where ${state} ${only} ${near}
    order by workspaces.depth, workspaces.slug, workspaces.id limit ${limit} offset ${offset}`;
  return reader.all<WorkspaceWithRole>(statement`select ${listed}, page.role
    from (${page}) as page join workspaces on workspaces.id = page.id
    order by workspaces.depth, workspaces.slug, workspaces.id`);
}

/** The memberships of a user in one workspace and all workspaces below it. */
export async function workspacesBelow(
  reader: Reader,
  rootId: string,
  oid: string,
  limit: number,
): Promise<WorkspaceWithRole[]> {
  // SQLite keeps the order of cross joins; else it reads all workspaces again for each one below.
  return reader.all<WorkspaceWithRole>(statement`with recursive below (id) as (
      select id from workspaces where id = ${rootId}
      union all
      select workspaces.id from below cross join workspaces where workspaces.parent_key = below.id
    )
    select ${listed}, members.role
    from below cross join members cross join workspaces
    where members.workspace_id = below.id and members.oid = ${oid} and members.status = 'active'
      and workspaces.id = below.id and workspaces.deleted_at is null
    order by workspaces.depth, workspaces.slug, workspaces.id limit ${limit}`);
}
