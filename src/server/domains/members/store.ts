import { emailKey } from "#lib/email-address.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { jsonText } from "../../database/dialect.ts";
import { countRows } from "../../database/row-pages.ts";
import {
  assignments,
  insertInto,
  raw,
  statement,
  type Statement,
} from "../../database/statement.ts";
import type { ChangeOperation } from "../../work/change-event.ts";
import type { Transaction } from "../../work/work.ts";
import type { User } from "../identity/service.ts";

export interface MemberRecord {
  readonly workspace_id: string;
  readonly oid: string;
  /** The interface names it `memberId`. */
  readonly id: string;
  /** The base role, or the highest one that the role definition includes. */
  readonly role: string;
  /** Null for a base role. */
  readonly role_definition_id: string | null;
  /** It is `active` or `disabled`. */
  readonly status: string;
  readonly email: string;
  readonly email_key: string;
  readonly display_name: string;
  readonly first_name: string;
  readonly last_name: string;
  /** All names in lower case, for the search. */
  readonly search_text: string;
  readonly invited_by: string | null;
  /** The group rule that grants the membership; null for one that was accepted. */
  readonly rule_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A member with the facts that its user and its role definition have. */
export type MemberRow = MemberRecord & {
  readonly account_disabled_at: string | null;
  readonly role_key: string | null;
};

/** Looked up for each row: a join reads all users for a page of a large workspace. */
const selected = raw(`select members.*,
  (select disabled_at from users where users.oid = members.oid) as account_disabled_at,
  (select key from role_definitions where role_definitions.workspace_id = members.workspace_id
    and role_definitions.id = members.role_definition_id) as role_key`);
const memberSelection = statement`${selected} from members`;

/** The members of a page with their facts. */
export function pagedMembers(page: Statement): Statement {
  return statement`${selected} from (${page}) as members`;
}

/** A user's names as a member has them. */
export function memberNames(
  user: Pick<User, "email" | "email_key" | "display_name" | "first_name" | "last_name">,
) {
  const firstName = user.first_name ?? "";
  const lastName = user.last_name ?? "";
  return {
    email: user.email,
    email_key: user.email_key,
    display_name: user.display_name,
    first_name: firstName,
    last_name: lastName,
    search_text: searchable([user.email, user.display_name, firstName, lastName].join("\n")),
  };
}

/** The form of a text that searches compare: the case does not count. */
export function searchable(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The facts about a member that a request needs; undefined for no access. */
export interface AccessRow {
  readonly role: string;
  readonly role_key: string | null;
  /** JSON list; null for a base role. */
  readonly permissions: string | null;
}

/** The access of an active member; undefined without one, or without such a workspace. */
export async function accessOf(
  reader: Reader,
  workspaceId: string,
  oid: string,
  { isDeletedToo = false } = {},
): Promise<AccessRow | undefined> {
  const isOpen = isDeletedToo
    ? raw("workspaces.purge_id is null")
    : raw("workspaces.deleted_at is null");
  return reader.first<AccessRow>(statement`select members.role, role_definitions.key as role_key,
      ${jsonText("role_definitions.permissions")} as permissions
    from members join workspaces on workspaces.id = members.workspace_id
      left join role_definitions on role_definitions.workspace_id = members.workspace_id
        and role_definitions.id = members.role_definition_id
    where members.workspace_id = ${workspaceId} and members.oid = ${oid}
      and members.status = 'active' and ${isOpen}`);
}

/** True for a workspace that is not deleted; undefined otherwise. */
export async function isLivingWorkspace(reader: Reader, id: string): Promise<true | undefined> {
  const row = await reader.first(
    statement`select 1 as found from workspaces where id = ${id} and deleted_at is null`,
  );
  return row === undefined ? undefined : true;
}

/** The parent of a workspace that is not deleted; undefined for a root. */
export async function parentOf(reader: Reader, id: string): Promise<string | undefined> {
  const row = await reader.first<{ parent_id: string | null }>(
    statement`select parent_id from workspaces where id = ${id} and deleted_at is null`,
  );
  return row?.parent_id ?? undefined;
}

/** True if a user is a member of a workspace or of one of its children. */
export async function isMemberNear(
  reader: Reader,
  workspaceId: string,
  oid: string,
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found
    from members join workspaces on workspaces.id = members.workspace_id
    where members.oid = ${oid} and members.status = 'active' and workspaces.deleted_at is null
      and (workspaces.id = ${workspaceId} or workspaces.parent_key = ${workspaceId}) limit 1`);
  return row !== undefined;
}

/** Adds a member, or changes the role of the present one. */
export async function putMember(tx: Transaction, row: MemberRecord): Promise<void> {
  await tx.run(statement`${insertInto("members", row)} on conflict (workspace_id, oid)
    do update set role = excluded.role, role_definition_id = excluded.role_definition_id,
      rule_id = excluded.rule_id, updated_at = excluded.updated_at`);
  changedMember(tx, row, "created");
}

type MemberKey = Pick<MemberRecord, "workspace_id" | "oid">;

function changedMember(
  tx: Transaction,
  { workspace_id: workspaceId, oid }: MemberKey,
  op: ChangeOperation,
  changed?: readonly string[],
): void {
  tx.event("member", oid, workspaceId, { op, ...(changed && { changed }) });
}

export async function updateMember(
  tx: Transaction,
  key: MemberKey,
  changes: Partial<
    Pick<MemberRecord, "role" | "role_definition_id" | "rule_id" | "status" | "updated_at">
  >,
): Promise<void> {
  await tx.run(statement`update members set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and oid = ${key.oid}`);
  const { updated_at: _, ...named } = changes;
  changedMember(tx, key, "updated", Object.keys(named));
}

/** Copies a user's changed names to its memberships. */
export async function renameMember(writer: Writer, user: User): Promise<void> {
  await writer.run(
    statement`update members set ${assignments(memberNames(user))} where oid = ${user.oid}`,
  );
}

export async function deleteMember(tx: Transaction, key: MemberKey): Promise<void> {
  await tx.run(statement`delete from members
    where workspace_id = ${key.workspace_id} and oid = ${key.oid}`);
  changedMember(tx, key, "deleted");
}

/**
 * The members that can act as admin, not disabled in the workspace or altogether: 0, 1, or 2 for
 * any larger number.
 */
export async function countAdmins(reader: Reader, workspaceId: string): Promise<number> {
  const some = statement`select 1 from members join users on users.oid = members.oid
    where members.workspace_id = ${workspaceId} and members.role = 'tenant-admin'
      and members.status = 'active' and users.disabled_at is null limit 2`;
  return countRows(reader, statement`from (${some}) as admins`);
}

/** True if the user is an active admin of any workspace. */
export async function isAdminAnywhere(reader: Reader, oid: string): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from members
    where oid = ${oid} and role = 'tenant-admin' and status = 'active' limit 1`);
  return row !== undefined;
}

export async function memberByOid(
  reader: Reader,
  workspaceId: string,
  oid: string,
): Promise<MemberRow | undefined> {
  return reader.first<MemberRow>(statement`${memberSelection}
    where members.workspace_id = ${workspaceId} and members.oid = ${oid}`);
}

export async function memberById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<MemberRow | undefined> {
  return reader.first<MemberRow>(statement`${memberSelection}
    where members.workspace_id = ${workspaceId} and members.id = ${id}`);
}

/** The member with this address; the oldest one where external accounts share it. */
export async function memberByEmail(
  reader: Reader,
  workspaceId: string,
  email: string,
): Promise<MemberRow | undefined> {
  return reader.first<MemberRow>(statement`${memberSelection}
    where members.workspace_id = ${workspaceId} and members.email_key = ${emailKey(email)}
    order by members.id limit 1`);
}

/** True if the user belongs to the workspace's parent or to one of its children. */
export async function isNeighbour(
  reader: Reader,
  workspaceId: string,
  admin: string,
  oid: string,
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found
    from workspaces join members on members.workspace_id = workspaces.id
      join members as admins on admins.workspace_id = workspaces.id
    where (workspaces.parent_key = ${workspaceId} or workspaces.id =
        (select parent_key from workspaces where id = ${workspaceId}))
      and members.oid = ${oid} and admins.oid = ${admin}
      and admins.role = 'tenant-admin' and admins.status = 'active' limit 1`);
  return row !== undefined;
}

export async function workspaceName(
  reader: Reader,
  id: string,
): Promise<{ readonly display_name: string; readonly slug: string } | undefined> {
  return reader.first(statement`select display_name, slug from workspaces where id = ${id}`);
}
