import type { ListBody } from "#contract/lists.ts";
import type { RoleChanges, RoleCreation, RoleDefinition } from "#contract/access/members.ts";
import {
  capabilityNamed,
  permissionsNamed,
  permissionsOf,
  rankOf,
} from "#contract/access/permissions.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { roles, type Role } from "#contract/access/roles.ts";
import type { Reader } from "../../database/database.ts";
import { invalid } from "../../kit/faults.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { requireStillAdmin } from "./admin-rule.ts";
import { type AssignedRole } from "./membership.ts";
import {
  deleteRoleDefinition,
  insertRoleDefinition,
  isRoleUsed,
  roleDefinitionById,
  roleDefinitionsOf,
  updateRoleDefinition,
  type RoleDefinitionRecord,
} from "./role-store.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { storedRole } from "../../work/held-role.ts";

/** This is more than an admin can tell apart; the list has no pages in the interface. */
const maximumDefinitions = 100;

const baseTexts: Readonly<Record<Role, readonly [displayName: string, description: string]>> = {
  "tenant-viewer": ["Viewer", "Reads records, documents and members"],
  "tenant-staff": ["Staff", "Also writes records and documents, and chats"],
  "tenant-builder": ["Builder", "Also changes Object Types, workflows and storage"],
  "tenant-admin": ["Admin", "Also manages members, roles and workspaces"],
};

/**
 * The roles of a workspace: the base roles, and those that it defines from permissions. A defined
 * role has no permission of `tenant-admin`, so that it cannot raise itself.
 */
export class RoleDefinitions {
  constructor(private readonly now: () => Date) {}

  async list({ read }: Work, workspaceId: string): Promise<ListBody<RoleDefinition>> {
    const custom = await roleDefinitionsOf(read, workspaceId, maximumDefinitions);
    const items = [...roles.map(baseDefinition), ...custom.map(definitionOf)];
    return { items, page: 1, limit: items.length, hasNextPage: false, nextCursor: null };
  }

  /** True if the name is a base role or the key of a role of the workspace. */
  async isRole(read: Reader, workspaceId: string, name: string): Promise<boolean> {
    if (roles.some((role) => role === name)) return true;
    const custom = await roleDefinitionsOf(read, workspaceId, maximumDefinitions);
    return custom.some(({ key }) => key === name);
  }

  async create(work: Work, workspaceId: string, creation: RoleCreation): Promise<RoleDefinition> {
    const { permissions, rank } = checkedPermissions(creation.permissions);
    if (roles.some((role) => role === creation.key)) throw keyTaken("a base role");
    const now = this.now().toISOString();
    const row: RoleDefinitionRecord = {
      workspace_id: workspaceId,
      id: Bun.randomUUIDv7(),
      key: creation.key,
      display_name: creation.displayName,
      description: creation.description ?? null,
      role: rank,
      permissions: JSON.stringify(permissions),
      created_by: work.scope.caller,
      created_at: now,
      updated_at: now,
    };
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await roleDefinitionsOf(tx, workspaceId, maximumDefinitions);
      if (present.length >= maximumDefinitions) {
        throw new Refusal("conflict", {
          detail: `Cannot define another role: a workspace has at most ${maximumDefinitions}`,
        });
      }
      if (!(await insertRoleDefinition(tx, row, permissions))) throw keyTaken("another role");
      tx.note({ target: { id: row.id }, after: grantsOf(row) });
      tx.remember(definitionOf(row));
      return definitionOf(row);
    });
  }

  /**
   * Stores a role of an archive, with the rank of its permissions here; false where its key or id
   * is taken. Refuses permissions that no role may have.
   */
  async storeArchived(
    tx: Transaction,
    archived: Omit<RoleDefinitionRecord, "role" | "permissions">,
    names: readonly string[],
  ): Promise<boolean> {
    const { permissions, rank } = checkedPermissions(names);
    await lockWorkspace(tx, archived.workspace_id);
    if (roles.some((role) => role === archived.key)) return false;
    const present = await roleDefinitionsOf(tx, archived.workspace_id, maximumDefinitions);
    const isTaken = present.some(({ id, key }) => id === archived.id || key === archived.key);
    if (isTaken || present.length >= maximumDefinitions) return false;
    const row = { ...archived, role: rank, permissions: JSON.stringify(permissions) };
    return insertRoleDefinition(tx, row, permissions);
  }

  async update(
    work: Work,
    workspaceId: string,
    id: string,
    changes: RoleChanges,
  ): Promise<RoleDefinition> {
    const checked =
      changes.permissions === undefined ? undefined : checkedPermissions(changes.permissions);
    return work.everywhere("keys that other workspaces own").write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      await requireStillAdmin(tx, workspaceId, work.scope.caller);
      const present = await this.#present(tx, workspaceId, id);
      const permissions = checked?.permissions ?? (JSON.parse(present.permissions) as string[]);
      const row: RoleDefinitionRecord = {
        ...present,
        display_name: changes.displayName ?? present.display_name,
        description: changes.description ?? present.description,
        role: checked?.rank ?? present.role,
        permissions: JSON.stringify(permissions),
        updated_at: this.now().toISOString(),
      };
      await updateRoleDefinition(tx, row, permissions);
      tx.note({ target: { id }, before: grantsOf(present), after: grantsOf(row) });
      return definitionOf(row);
    });
  }

  async delete(work: Work, workspaceId: string, id: string): Promise<RoleDefinition> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const present = await this.#present(tx, workspaceId, id);
      if (await isRoleUsed(tx, workspaceId, id)) {
        throw new Refusal("conflict", {
          detail: `Cannot delete the role ${present.key}: members, keys, group rules or invitations have it`,
        });
      }
      await deleteRoleDefinition(tx, workspaceId, id);
      tx.note({ target: { id }, before: grantsOf(present), after: {} });
      return definitionOf(present);
    });
  }

  /** The role that a request names by role or by definition; 422 for an unknown definition. */
  async assigned(
    reader: Reader,
    workspaceId: string,
    choice: { readonly role?: Role | undefined; readonly roleDefinitionId?: string | undefined },
  ): Promise<AssignedRole & { readonly key: string | null }> {
    const { role, roleDefinitionId: id } = choice;
    if (id === undefined) {
      return { role: role ?? "tenant-viewer", definitionId: null, key: null };
    }
    const base = roles.find((known) => known === id);
    if (base !== undefined) return { role: base, definitionId: null, key: null };
    const found = await roleDefinitionById(reader, workspaceId, id.toLowerCase());
    if (found === undefined) {
      throw invalid([
        { pointer: pointer("roleDefinitionId"), detail: "is not a role of this workspace" },
      ]);
    }
    return { role: storedRole(found.role), definitionId: found.id, key: found.key };
  }

  async #present(reader: Reader, workspaceId: string, id: string): Promise<RoleDefinitionRecord> {
    const present = await roleDefinitionById(reader, workspaceId, id);
    if (present === undefined) throw new Refusal("not-found");
    return present;
  }
}

/** The named permissions in the contract's order; 422 with a pointer for each invalid one. */
function checkedPermissions(names: readonly string[]): { permissions: string[]; rank: Role } {
  const faults: Fault[] = [];
  const wanted = new Set<string>();
  for (const [at, name] of names.entries()) {
    const found = permissionsNamed(name);
    const isAdmins = capabilityNamed(name)?.access === "tenant-admin";
    if (found.length > 0 && !isAdmins) for (const each of found) wanted.add(each);
    else {
      const detail = isAdmins
        ? "needs tenant-admin, which a workspace-defined role cannot include"
        : "is not a permission: see the capabilities catalog";
      faults.push({ pointer: pointer("permissions", String(at)), detail });
    }
  }
  if (faults.length > 0) throw invalid(faults);
  const permissions = permissionsOf("tenant-builder").filter((each) => wanted.has(each));
  return { permissions, rank: rankOf(wanted) };
}

/** The facts of a role for the audit log. */
function grantsOf({ key, permissions }: RoleDefinitionRecord): object {
  return { key, permissions: JSON.parse(permissions) as string[] };
}

function keyTaken(holder: string): Refusal {
  return new Refusal("already-exists", {
    detail: `Cannot use this key: ${holder} has it`,
    errors: [{ pointer: pointer("key"), detail: "is taken" }],
  });
}

function baseDefinition(role: Role): RoleDefinition {
  const [displayName, description] = baseTexts[role];
  const permissions = permissionsOf(role);
  return { id: role, key: role, displayName, description, kind: "base", role, permissions };
}

function definitionOf(row: RoleDefinitionRecord): RoleDefinition {
  return {
    id: row.id,
    key: row.key,
    displayName: row.display_name,
    description: row.description,
    kind: "custom",
    role: storedRole(row.role),
    permissions: JSON.parse(row.permissions) as string[],
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
