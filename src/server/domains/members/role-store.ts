import type { Reader } from "../../database/database.ts";
import { jsonText, jsonValue } from "../../database/dialect.ts";
import { assignments, insertInto, statement } from "../../database/statement.ts";
import type { Transaction } from "../../work/work.ts";

export interface RoleDefinitionRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly key: string;
  readonly display_name: string;
  readonly description: string | null;
  /** The highest base role that the permissions include, or the lowest one. */
  readonly role: string;
  /** The names as a JSON list. */
  readonly permissions: string;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const selection = statement`select workspace_id, id, key, display_name, description, role,
  ${jsonText("permissions")} as permissions, created_by, created_at, updated_at
  from role_definitions`;

export async function roleDefinitionsOf(
  reader: Reader,
  workspaceId: string,
  limit: number,
): Promise<RoleDefinitionRecord[]> {
  return reader.all<RoleDefinitionRecord>(
    statement`${selection} where workspace_id = ${workspaceId} order by key limit ${limit}`,
  );
}

export async function roleDefinitionById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<RoleDefinitionRecord | undefined> {
  return reader.first<RoleDefinitionRecord>(
    statement`${selection} where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** False when another role of the workspace has the key. */
export async function insertRoleDefinition(
  tx: Transaction,
  row: RoleDefinitionRecord,
  permissions: readonly string[],
): Promise<boolean> {
  const stored = { ...row, permissions: jsonValue(permissions) };
  const { changedRows } = await tx.run(
    statement`${insertInto("role_definitions", stored)} on conflict do nothing`,
  );
  if (changedRows > 0) tx.event("role", row.id, row.workspace_id, { op: "created" });
  return changedRows > 0;
}

/** Changes the definition, and the base role of its members, keys, rules and invitations. */
export async function updateRoleDefinition(
  tx: Transaction,
  row: RoleDefinitionRecord,
  permissions: readonly string[],
): Promise<void> {
  const { workspace_id: workspaceId, id, display_name, description, role, updated_at } = row;
  const changes = { display_name, description, role, updated_at };
  await tx.run(statement`update role_definitions
    set ${assignments(changes)}, permissions = ${jsonValue(permissions)}
    where workspace_id = ${workspaceId} and id = ${id}`);
  await tx.run(statement`update members set role = ${role}
    where workspace_id = ${workspaceId} and role_definition_id = ${id}`);
  await tx.run(statement`update service_key_grants set role = ${role}
    where workspace_id = ${workspaceId} and role_definition_id = ${id}`);
  await tx.run(statement`update invitations set role = ${role}
    where workspace_id = ${workspaceId} and role_definition_id = ${id} and state = 'pending'`);
  await tx.run(statement`update group_rules set role = ${role}
    where workspace_id = ${workspaceId} and role_definition_id = ${id}`);
  tx.event("role", id, workspaceId);
}

/** True if a member, a key, a group rule or a pending invitation has the role. */
export async function isRoleUsed(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const row = await reader.first(statement`select 1 as found from members
      where workspace_id = ${workspaceId} and role_definition_id = ${id}
    union all select 1 from service_key_grants
      where workspace_id = ${workspaceId} and role_definition_id = ${id}
    union all select 1 from group_rules
      where workspace_id = ${workspaceId} and role_definition_id = ${id}
    union all select 1 from invitations
      where workspace_id = ${workspaceId} and role_definition_id = ${id} and state = 'pending'
    limit 1`);
  return row !== undefined;
}

export async function deleteRoleDefinition(
  tx: Transaction,
  workspaceId: string,
  id: string,
): Promise<void> {
  await tx.run(
    statement`delete from role_definitions where workspace_id = ${workspaceId} and id = ${id}`,
  );
  tx.event("role", id, workspaceId, { op: "deleted" });
}
