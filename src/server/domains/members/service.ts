import type { Member, MemberReceipt } from "#contract/access/members.ts";
import type { Role } from "#contract/access/roles.ts";
import { workspaceNotFound } from "../../work/refusals.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { changeRole, endMembership, noSuchMember, requireOtherAdmin } from "./admin-rule.ts";
import { memberOf } from "./membership.ts";
import type { RoleDefinitions } from "./roles.ts";
import { memberByEmail, memberById, memberByOid, updateMember, type MemberRow } from "./store.ts";
import { lockWorkspace } from "../workspace-lock.ts";

export { grantRole, storedRole } from "./membership.ts";
export { makeFirstAdmin } from "./admin-rule.ts";
export { AccessService } from "./access.ts";
export { GroupRules } from "./group-rules/rules.ts";
export { ServiceKeys } from "./keys/keys.ts";
export { Invitations } from "./invitations.ts";
export type { OpenInvitation } from "./invitation-wire.ts";

interface RoleChoice {
  readonly role?: Role | undefined;
  readonly roleDefinitionId?: string | undefined;
}

/**
 * The members of a workspace and their roles (spec 2.1, 4.4). Every change locks the workspace, so
 * that two requests at once cannot take away its last admin.
 */
export class MemberService {
  constructor(
    private readonly roles: RoleDefinitions,
    private readonly now: () => Date,
  ) {}

  async byEmail({ read }: Work, workspaceId: string, email: string): Promise<Member> {
    const row = await memberByEmail(read, workspaceId, email);
    if (row === undefined) throw noSuchMember();
    return memberOf(row);
  }

  async setRole(
    work: Work,
    workspaceId: string,
    memberId: string,
    choice: RoleChoice,
  ): Promise<Member> {
    const row = await this.#change(work, workspaceId, memberId, async (tx, member) => {
      const role = await this.roles.assigned(tx, workspaceId, choice);
      await changeRole(tx, member, { ...role, at: this.now() });
    });
    return memberOf(row);
  }

  async remove(work: Work, workspaceId: string, memberId: string): Promise<MemberReceipt> {
    const row = await this.#change(work, workspaceId, memberId, (tx, member) =>
      endMembership(tx, member, this.now()),
    );
    return { memberId: row.id, oid: row.oid, status: "removed" };
  }

  async leave(work: Work, workspaceId: string): Promise<MemberReceipt> {
    const member = await memberByOid(work.read, workspaceId, work.scope.caller);
    if (member === undefined) throw workspaceNotFound();
    await this.#change(work, workspaceId, member.id, (tx, present) =>
      endMembership(tx, present, this.now()),
    );
    return { memberId: member.id, oid: member.oid, status: "left" };
  }

  /** A disabled member stays listed and has no access; the last admin stays active. */
  async setStatus(
    work: Work,
    workspaceId: string,
    memberId: string,
    status: "active" | "disabled",
  ): Promise<MemberReceipt> {
    const row = await this.#change(work, workspaceId, memberId, async (tx, member) => {
      if (status === "disabled") await requireOtherAdmin(tx, member, "disable the last admin");
      await updateMember(tx, member, { status, updated_at: this.now().toISOString() });
    });
    return { memberId: row.id, oid: row.oid, status };
  }

  /** The member after the change; for one that the change has ended, before it. */
  async #change(
    work: Work,
    workspaceId: string,
    memberId: string,
    change: (tx: Transaction, member: MemberRow) => Promise<void>,
  ): Promise<MemberRow> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const member = await memberById(tx, workspaceId, memberId);
      if (member === undefined) throw noSuchMember();
      await change(tx, member);
      const changed = await memberById(tx, workspaceId, memberId);
      tx.note({
        target: { memberId, oid: member.oid, email: member.email },
        before: accessOf(member),
        after: changed === undefined ? {} : accessOf(changed),
      });
      return changed ?? member;
    });
  }
}

/** The facts of a member for the audit log. */
function accessOf({ role, role_key, status }: MemberRow): object {
  return { role: role_key ?? role, status };
}
