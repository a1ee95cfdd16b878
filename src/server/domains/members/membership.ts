import type { Member } from "#contract/access/members.ts";
import type { Role } from "#contract/access/roles.ts";
import { given } from "#lib/given.ts";
import type { Transaction } from "../../work/work.ts";
import { invalidToken, userByOid } from "../identity/service.ts";
import { memberNames, putMember, type MemberRow } from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

/** A base role, or a role definition with the highest base role that it includes. */
export interface AssignedRole {
  readonly role: Role;
  readonly definitionId: string | null;
}

export interface RoleGrant {
  readonly workspaceId: string;
  readonly oid: string;
  readonly role: Role;
  /** Null for a base role. */
  readonly definitionId?: string | null;
  /** Null for the creator of the workspace. */
  readonly invitedBy: string | null;
  /** Set for a membership by a group rule. */
  readonly ruleId?: string;
  readonly at: Date;
}

/** Adds a member, or changes the role of the present one. */
export async function grantRole(tx: Transaction, grant: RoleGrant): Promise<void> {
  const at = grant.at.toISOString();
  const user = await userByOid(tx, grant.oid);
  if (user === undefined) throw invalidToken();
  await putMember(tx, {
    workspace_id: grant.workspaceId,
    oid: grant.oid,
    id: Bun.randomUUIDv7(),
    role: grant.role,
    role_definition_id: grant.definitionId ?? null,
    status: "active",
    ...memberNames(user),
    invited_by: grant.invitedBy,
    rule_id: grant.ruleId ?? null,
    created_at: at,
    updated_at: at,
  });
}

/** The member of a response, without the names that are not known. */
export function memberOf(row: MemberRow): Member {
  return {
    memberId: row.id,
    oid: row.oid,
    ...(row.email === "" ? {} : { email: row.email }),
    displayName: row.display_name,
    ...(row.first_name === "" ? {} : { firstName: row.first_name }),
    ...(row.last_name === "" ? {} : { lastName: row.last_name }),
    role: storedRole(row.role),
    ...roleFacts(row.role_definition_id, row.role_key),
    status: row.status === "disabled" ? "disabled" : "active",
    ...(row.account_disabled_at === null ? {} : { accountDisabled: true }),
    ...given({ ruleId: row.rule_id ?? undefined }),
    created_at: row.created_at,
  };
}

export function roleFacts(definitionId: string | null, key: string | null) {
  return given({ roleDefinitionId: definitionId ?? undefined, roleName: key ?? undefined });
}
