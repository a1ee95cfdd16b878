import type { Reader, Writer } from "../../database/database.ts";
import { textContains, textOrder } from "../../database/dialect.ts";
import {
  assignments,
  insertInto,
  join,
  raw,
  statement,
  type Statement,
} from "../../database/statement.ts";
import { compileColumns } from "../../database/where/compile-columns.ts";
import type { Condition } from "../../database/where/condition.ts";

export interface WorkspaceRecord {
  readonly id: string;
  readonly parent_id: string | null;
  /** The parent's id, empty for a root: slugs are unique below one parent and among roots. */
  readonly parent_key: string;
  /** 0 for a root. */
  readonly depth: number;
  readonly slug: string;
  readonly display_name: string;
  readonly domain: string | null;
  readonly usecase: string;
  readonly industry: string | null;
  readonly starter_template: string;
  readonly home_region: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Null while the workspace lives; every route but the removal ones answers 404 afterwards. */
  readonly deleted_at: string | null;
  readonly deleted_by: string | null;
  /** The end of the time in which a deleted workspace can be restored. */
  readonly purge_at: string | null;
  /** Set for good when its purge begins. */
  readonly purge_id: string | null;
}

export interface MemberRecord {
  readonly workspace_id: string;
  readonly oid: string;
  /** `memberId` in the interface. */
  readonly id: string;
  readonly role: string;
  readonly invited_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A membership with what a list of members shows of its user. */
export type MemberWithUser = MemberRecord & {
  readonly email: string;
  readonly display_name: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly status: "active" | "invited";
};
export type WorkspaceWithRole = WorkspaceRecord & { readonly role: string };

export async function workspaceById(
  reader: Reader,
  id: string,
): Promise<WorkspaceRecord | undefined> {
  return reader.first<WorkspaceRecord>(
    statement`select * from workspaces where id = ${id} and deleted_at is null`,
  );
}

/** The same, also a deleted workspace whose purge has not begun. */
export async function restorableById(
  reader: Reader,
  id: string,
): Promise<WorkspaceRecord | undefined> {
  return reader.first<WorkspaceRecord>(
    statement`select * from workspaces where id = ${id} and purge_id is null`,
  );
}

/** The same, in every state. */
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

export async function setDeletion(
  writer: Writer,
  id: string,
  deletion: Pick<WorkspaceRecord, "deleted_at" | "deleted_by" | "purge_at">,
): Promise<void> {
  await writer.run(statement`update workspaces set ${assignments(deletion)} where id = ${id}`);
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

/** False when a sibling (or, for a root, another root) has the slug. */
export async function insertWorkspace(writer: Writer, row: WorkspaceRecord): Promise<boolean> {
  const { changedRows } = await writer.run(
    statement`${insertInto("workspaces", row)} on conflict (parent_key, slug) do nothing`,
  );
  return changedRows > 0;
}

/** The user's role; undefined without a membership, or without such a workspace. */
export async function roleOf(
  reader: Reader,
  workspaceId: string,
  oid: string,
): Promise<string | undefined> {
  const row = await reader.first<{ role: string }>(
    statement`select role from members join workspaces on workspaces.id = members.workspace_id
      where members.workspace_id = ${workspaceId} and oid = ${oid} and deleted_at is null`,
  );
  return row?.role;
}

/** The same, also in a deleted workspace whose purge has not begun. */
export async function restorableRoleOf(
  reader: Reader,
  workspaceId: string,
  oid: string,
): Promise<string | undefined> {
  const row = await reader.first<{ role: string }>(
    statement`select role from members join workspaces on workspaces.id = members.workspace_id
      where members.workspace_id = ${workspaceId} and oid = ${oid} and purge_id is null`,
  );
  return row?.role;
}

/** Adds a member, or changes the role of the present one. */
export async function putMember(writer: Writer, row: MemberRecord): Promise<void> {
  await writer.run(statement`${insertInto("members", row)} on conflict (workspace_id, oid)
    do update set role = excluded.role, updated_at = excluded.updated_at`);
}

export async function countAdmins(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.first<{ count: number }>(
    statement`select count(*) as count from members
      where workspace_id = ${workspaceId} and role = 'tenant-admin'`,
  );
  return Number(row?.count ?? 0);
}

export async function hasOtherMemberships(
  reader: Reader,
  oid: string,
  workspaceId: string,
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from members
    where oid = ${oid} and workspace_id <> ${workspaceId} limit 1`);
  return row !== undefined;
}

/** Serialises the changes of one workspace's members on PostgreSQL. */
export async function lockWorkspace(writer: Writer, id: string): Promise<void> {
  await writer.run(statement`update workspaces set updated_at = updated_at where id = ${id}`);
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

/** The user's workspaces, or the deleted ones: roots first, then by depth and slug. */
export async function workspacesOf(
  reader: Reader,
  oid: string,
  limit: number,
  { areDeleted = false } = {},
): Promise<WorkspaceWithRole[]> {
  const state = areDeleted
    ? raw("workspaces.deleted_at is not null and workspaces.purge_id is null")
    : raw("workspaces.deleted_at is null");
  return reader.all<WorkspaceWithRole>(statement`select workspaces.*, members.role
    from members join workspaces on workspaces.id = members.workspace_id
    where members.oid = ${oid} and ${state}
    order by workspaces.depth, workspaces.slug, workspaces.id limit ${limit}`);
}

/** The same, for one workspace and all workspaces below it. */
export async function workspacesBelow(
  reader: Reader,
  rootId: string,
  oid: string,
  limit: number,
): Promise<WorkspaceWithRole[]> {
  return reader.all<WorkspaceWithRole>(statement`with recursive below (id) as (
      select id from workspaces where id = ${rootId}
      union all
      select workspaces.id from workspaces join below on workspaces.parent_key = below.id
    )
    select workspaces.*, members.role
    from below join workspaces on workspaces.id = below.id
      join members on members.workspace_id = below.id and members.oid = ${oid}
    where workspaces.deleted_at is null
    order by workspaces.depth, workspaces.slug, workspaces.id limit ${limit}`);
}

/** The fields that a list of members sorts and filters by, with their columns. */
const memberColumns = {
  email: "users.email_key",
  displayName: "users.display_name",
  firstName: "users.first_name",
  lastName: "users.last_name",
  role: "members.role",
  // The installation's first user was never invited.
  status:
    "case when users.activated_at is null and users.system_admin = 0 then 'invited' else 'active' end",
  created_at: "members.created_at",
  memberId: "members.id",
  oid: "members.oid",
} as const;
export type MemberField = keyof typeof memberColumns;
export const memberFields = Object.keys(memberColumns) as readonly MemberField[];

export interface MemberListing {
  readonly workspaceId: string;
  readonly search: string | undefined;
  readonly where: Condition | undefined;
  readonly sort: readonly { readonly field: MemberField; readonly isDescending: boolean }[];
  readonly limit: number;
  readonly offset: number;
}

function memberColumn(field: MemberField): Statement {
  return raw(memberColumns[field]);
}

const filteredColumns = Object.fromEntries(
  memberFields.map((field) => [field, { kind: "text" as const, expression: memberColumn(field) }]),
);

const memberSelection = raw(`select members.*, users.email, users.display_name, users.first_name,
  users.last_name, ${memberColumns.status} as status
  from members join users on users.oid = members.oid`);

function memberFilter(listing: MemberListing): Statement {
  const conditions: Statement[] = [
    statement`members.workspace_id = ${listing.workspaceId}`,
    compileColumns(listing.where, filteredColumns),
  ];
  if (listing.search !== undefined && listing.search !== "") {
    const { search } = listing;
    // SQLite folds only ASCII letters: the search as it was typed finds the others.
    const columns = ["email", "display_name", "first_name", "last_name"].flatMap((name) => [
      textContains(raw(`lower(coalesce(users.${name}, ''))`), search.toLowerCase()),
      textContains(raw(`coalesce(users.${name}, '')`), search),
    ]);
    conditions.push(statement`(${join(columns, " or ")})`);
  }
  return join(conditions, " and ");
}

export async function listMembers(
  reader: Reader,
  listing: MemberListing,
): Promise<MemberWithUser[]> {
  const order = listing.sort.map(({ field, isDescending }) =>
    isDescending
      ? statement`${textOrder(memberColumn(field))} desc nulls last`
      : statement`${textOrder(memberColumn(field))} asc nulls first`,
  );
  return reader.all<MemberWithUser>(statement`${memberSelection}
    where ${memberFilter(listing)}
    order by ${join([...order, raw("members.id")])}
    limit ${listing.limit} offset ${listing.offset}`);
}

export async function countMembers(reader: Reader, listing: MemberListing): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from members join users on users.oid = members.oid where ${memberFilter(listing)}`);
  return Number(row?.count ?? 0);
}

export async function memberWithUser(
  reader: Reader,
  workspaceId: string,
  oid: string,
): Promise<MemberWithUser | undefined> {
  return reader.first<MemberWithUser>(statement`${memberSelection}
    where members.workspace_id = ${workspaceId} and members.oid = ${oid}`);
}
