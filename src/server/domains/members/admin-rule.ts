import { Refusal } from "#contract/problems.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { excludeFromRules } from "./group-rules/store.ts";
import type { AssignedRole } from "./membership.ts";
import { countAdmins, deleteMember, updateMember, type MemberRow } from "./store.ts";

/** Changes the role in the caller's unit, which has locked the workspace. */
export async function changeRole(
  writer: Writer,
  member: MemberRow,
  { role, definitionId, at }: AssignedRole & { readonly at: Date },
): Promise<void> {
  if (role !== "tenant-admin") {
    await requireOtherAdmin(writer, member, `change this role to ${role}`);
  }
  await updateMember(writer, member, {
    role,
    role_definition_id: definitionId,
    // A role that an admin sets is kept without the group.
    rule_id: null,
    updated_at: at.toISOString(),
  });
}

/** No group rule brings the user back; an accepted invitation does. */
export async function endMembership(writer: Writer, member: MemberRow, at: Date): Promise<void> {
  await requireOtherAdmin(writer, member, "remove the last admin");
  await deleteMember(writer, member);
  await excludeFromRules(writer, member, at.toISOString());
}

/** 409 where the member is the workspace's last admin. */
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
