import type { Insertable, Selectable } from "kysely";
import type { Reader, Writer } from "../../database/database.ts";
import { textContains, textOrder } from "../../database/dialect.ts";
import { join, raw, statement, type Statement } from "../../database/statement.ts";
import { compileColumns } from "../../database/where/compile-columns.ts";
import type { Condition } from "../../database/where/condition.ts";
import type { MemberRow, WorkspaceRow } from "../../schema/tables/workspaces.ts";

export type WorkspaceRecord = Selectable<WorkspaceRow>;
export type MemberRecord = Selectable<MemberRow>;
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
  return reader.first<WorkspaceRecord>(statement`select * from workspaces where id = ${id}`);
}

/** False when a sibling (or, for a root, another root) has the slug. */
export async function insertWorkspace(
  writer: Writer,
  row: Insertable<WorkspaceRow>,
): Promise<boolean> {
  const result = await writer.query
    .insertInto("workspaces")
    .values(row)
    .onConflict((conflict) => conflict.columns(["parent_key", "slug"]).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The role of one user in one workspace; undefined for a stranger and for no such workspace. */
export async function roleOf(
  reader: Reader,
  workspaceId: string,
  oid: string,
): Promise<string | undefined> {
  const row = await reader.first<{ role: string }>(
    statement`select role from members where workspace_id = ${workspaceId} and oid = ${oid}`,
  );
  return row?.role;
}

/** Adds a member, or gives the one that is there this role. */
export async function putMember(writer: Writer, row: Insertable<MemberRow>): Promise<void> {
  await writer.query
    .insertInto("members")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "oid"])
        .doUpdateSet({ role: row.role, updated_at: row.updated_at }),
    )
    .execute();
}

export async function countAdmins(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.first<{ count: number }>(
    statement`select count(*) as count from members
      where workspace_id = ${workspaceId} and role = 'tenant-admin'`,
  );
  return Number(row?.count ?? 0);
}

/** Memberships of a user outside one workspace; says whether that workspace alone knows the user. */
export async function hasOtherMemberships(
  reader: Reader,
  oid: string,
  workspaceId: string,
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from members
    where oid = ${oid} and workspace_id <> ${workspaceId} limit 1`);
  return row !== undefined;
}

/** Keeps two changes of one workspace's members from passing each other on PostgreSQL. */
export async function lockWorkspace(writer: Writer, id: string): Promise<void> {
  await writer.run(statement`update workspaces set updated_at = updated_at where id = ${id}`);
}

/** Ids of all workspaces behind this one, in their order. */
export async function workspaceIdsAfter(
  reader: Reader,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await reader.all<{ id: string }>(statement`select id from workspaces
    where id > ${afterId} order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** The workspaces that a user is a member of: roots first, then by depth and slug. */
export async function workspacesOf(
  reader: Reader,
  oid: string,
  limit: number,
): Promise<WorkspaceWithRole[]> {
  return reader.all<WorkspaceWithRole>(statement`select workspaces.*, members.role
    from members join workspaces on workspaces.id = members.workspace_id
    where members.oid = ${oid}
    order by workspaces.depth, workspaces.slug, workspaces.id limit ${limit}`);
}

/** The same, of one workspace and everything below it. */
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
    order by workspaces.depth, workspaces.slug, workspaces.id limit ${limit}`);
}

/** What a list of members may be sorted by, and the column behind each. */
const memberColumns = {
  email: "users.email_key",
  displayName: "users.display_name",
  firstName: "users.first_name",
  lastName: "users.last_name",
  role: "members.role",
  // Nobody invited the installation's first user.
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
