import type { ChangedKey } from "#contract/access/keys.ts";
import type { Member } from "#contract/access/members.ts";
import { Refusal } from "#contract/problems.ts";
import type { Reader } from "../../database/database.ts";
import type { Transaction } from "../../work/work.ts";
import { excludeFromRules } from "./group-rules/store.ts";
import { roleTooLow, workspaceNotFound } from "../../work/refusals.ts";
import { lowerMadeKeys } from "./keys/made-keys.ts";
import { keyById } from "./keys/store.ts";
import { grantRole, memberOf, type AssignedRole } from "./membership.ts";
import { countAdmins, deleteMember, memberByOid, updateMember, type MemberRow } from "./store.ts";
import { lowerMadeEndpoints } from "../webhooks/service.ts";
import { lockWorkspace } from "../workspace-lock.ts";

/**
 * Changes the role in the caller's transaction, which has locked the workspace and sees the keys of
 * all workspaces. Returns the keys of the member that lost permissions with it.
 */
export async function changeRole(
  tx: Transaction,
  member: MemberRow,
  { role, definitionId, at }: AssignedRole & { readonly at: Date },
): Promise<ChangedKey[]> {
  if (role !== "tenant-admin") {
    await requireOtherAdmin(tx, member, `change this role to ${role}`);
  }
  await updateMember(tx, member, {
    role,
    role_definition_id: definitionId,
    // A role that an admin sets stays when the user leaves the group.
    rule_id: null,
    updated_at: at.toISOString(),
  });
  await lowerMadeEndpoints(tx, member, { role, at });
  return lowerMadeKeys(tx, member, { role, definitionId, at });
}

/** No group rule brings the user back; an accepted invitation does. */
export async function endMembership(tx: Transaction, member: MemberRow, at: Date): Promise<void> {
  await requireOtherAdmin(tx, member, "remove the last admin");
  await deleteMember(tx, member);
  await excludeFromRules(tx, member, at.toISOString());
}

/**
 * Makes a user the first admin of a workspace, and returns the member; an admin stays one. Refuses
 * 409 where the workspace has another admin.
 */
export async function makeFirstAdmin(
  tx: Transaction,
  { workspaceId, oid, at }: { workspaceId: string; oid: string; at: Date },
): Promise<Member | undefined> {
  await lockWorkspace(tx, workspaceId);
  const present = await memberByOid(tx, workspaceId, oid);
  // A retry after a lost response finds the caller as admin.
  const isAdmin = present?.role === "tenant-admin" && present.status === "active";
  if (!isAdmin && (await countAdmins(tx, workspaceId)) > 0) {
    throw new Refusal("conflict", {
      detail: "Cannot take over this workspace: it has an admin, who can invite you",
    });
  }
  if (!isAdmin) {
    await grantRole(tx, { workspaceId, oid, role: "tenant-admin", invitedBy: oid, at });
    tx.note({ before: { role: present?.role ?? null }, after: { role: "tenant-admin" } });
  }
  const member = await memberByOid(tx, workspaceId, oid);
  return member === undefined ? undefined : memberOf(member);
}

/**
 * Refuses a caller who is no longer an admin of a workspace. A removal on another platform reaches
 * this one up to a second later; in that time the caller must not gain what outlasts it.
 */
export async function requireStillAdmin(
  tx: Transaction,
  workspaceId: string,
  caller: string,
): Promise<void> {
  const member = await memberByOid(tx, workspaceId, caller);
  const isActive = member?.status === "active" && member.account_disabled_at === null;
  const key = member === undefined ? await keyById(tx, workspaceId, caller) : undefined;
  const held = isActive ? member : key?.revoked_at === null ? key : undefined;
  if (held === undefined) throw workspaceNotFound();
  if (held.role === "tenant-admin") return;
  throw roleTooLow("tenant-admin", held.role_key ?? held.role);
}

/** Refuses 409 where the member is the workspace's last admin. */
export async function requireOtherAdmin(
  reader: Reader,
  member: MemberRow,
  act: string,
): Promise<void> {
  const isAdmin =
    member.role === "tenant-admin" &&
    member.status === "active" &&
    member.account_disabled_at === null;
  if (!isAdmin || (await countAdmins(reader, member.workspace_id)) > 1) return;
  throw new Refusal("conflict", {
    detail: `Cannot ${act}: a workspace needs at least one tenant-admin. Make another member admin first`,
  });
}

export function noSuchMember(): Refusal {
  return new Refusal("not-found", { detail: "This workspace has no such member" });
}
