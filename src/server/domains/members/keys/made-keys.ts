import type { KeyChoice } from "#contract/access/key-choices.ts";
import type { ChangedKey } from "#contract/access/keys.ts";
import { permissionsOf } from "#contract/access/permissions.ts";
import type { Reader } from "../../../database/database.ts";
import type { Transaction } from "../../../work/work.ts";
import { roleFacts, type AssignedRole } from "../membership.ts";
import { roleDefinitionById } from "../role-store.ts";
import { endKey, updateKeyGrant, usableKeysOf } from "./store.ts";
import { storedRole } from "../../../work/held-role.ts";

interface StoredRole {
  readonly role: string;
  /** Null for a base role. */
  readonly role_definition_id: string | null;
}

interface Maker {
  readonly workspace_id: string;
  readonly oid: string;
}

/** The changed keys of an answer and of an audit entry; empty without any. */
export interface KeyFacts {
  readonly keys?: ChangedKey[];
}

export function keyFacts(keys: ChangedKey[]): KeyFacts {
  return keys.length === 0 ? {} : { keys };
}

/**
 * Revokes or keeps the working keys that a former member made, and returns them. The transaction
 * sees the keys of all workspaces.
 */
export async function settleMadeKeys(
  tx: Transaction,
  maker: Maker,
  { choice, at }: { readonly choice: KeyChoice; readonly at: Date },
): Promise<ChangedKey[]> {
  const { workspace_id: workspaceId, oid: createdBy } = maker;
  const now = at.toISOString();
  const settled: ChangedKey[] = [];
  for (const key of await usableKeysOf(tx, { workspaceId, createdBy }, now)) {
    const named = { keyId: key.id, name: key.name };
    settled.push(
      choice === "keep"
        ? {
            ...named,
            status: "kept",
            role: storedRole(key.role),
            ...roleFacts(key.role_definition_id, key.role_key),
          }
        : { ...named, status: await endKey(tx, { workspaceId, key, at: now }) },
    );
  }
  return settled;
}

/**
 * Gives the keys that a demoted member made the member's new role, and returns the changed ones. A
 * key whose role lacks a permission of the new one ends instead. The transaction sees the keys of
 * all workspaces.
 */
export async function lowerMadeKeys(
  tx: Transaction,
  maker: Maker & StoredRole,
  { role, definitionId, at }: AssignedRole & { readonly at: Date },
): Promise<ChangedKey[]> {
  const { workspace_id: workspaceId, oid: createdBy } = maker;
  if (!(await losesPermissions(tx, maker, { role, definitionId }))) return [];
  const next = await granted(tx, workspaceId, { role, role_definition_id: definitionId });
  const now = at.toISOString();
  const changed: ChangedKey[] = [];
  for (const key of await usableKeysOf(tx, { workspaceId, createdBy }, now)) {
    const { permissions } = await granted(tx, workspaceId, key);
    if (next.permissions.isSupersetOf(permissions)) continue;
    const named = { keyId: key.id, name: key.name };
    if (!permissions.isSupersetOf(next.permissions)) {
      changed.push({ ...named, status: await endKey(tx, { workspaceId, key, at: now }) });
      continue;
    }
    const grant = { workspace_id: workspaceId, key_id: key.id };
    await updateKeyGrant(tx, grant, { role, role_definition_id: definitionId });
    changed.push({ ...named, status: "lowered", role, ...roleFacts(definitionId, next.name) });
  }
  return changed;
}

/** True if the member would lose a permission with this role. */
export async function losesPermissions(
  reader: Reader,
  member: Maker & StoredRole,
  { role, definitionId }: AssignedRole,
): Promise<boolean> {
  const { workspace_id: workspaceId } = member;
  const next = await granted(reader, workspaceId, { role, role_definition_id: definitionId });
  return !next.permissions.isSupersetOf((await granted(reader, workspaceId, member)).permissions);
}

/** The permissions of a role, and its name where the workspace defines it. */
async function granted(
  reader: Reader,
  workspaceId: string,
  { role, role_definition_id: id }: StoredRole,
): Promise<{ readonly name: string | null; readonly permissions: ReadonlySet<string> }> {
  const found = id === null ? undefined : await roleDefinitionById(reader, workspaceId, id);
  return found === undefined
    ? { name: null, permissions: new Set(permissionsOf(storedRole(role))) }
    : { name: found.key, permissions: new Set(JSON.parse(found.permissions) as string[]) };
}
