import type { Member, MemberReceipt } from "#contract/members.ts";
import type { Role } from "#contract/roles.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Principal } from "../../http/handler.ts";
import { workspaceNotFound } from "../../http/pipeline-refusals.ts";
import { noteChange } from "../../kit/change-note.ts";
import type { AccessService } from "./access.ts";
import { changeRole, endMembership, noSuchMember, requireOtherAdmin } from "./admin-rule.ts";
import { memberOf } from "./membership.ts";
import type { RoleDefinitions } from "./roles.ts";
import {
  lockWorkspace,
  memberByEmail,
  memberById,
  memberByOid,
  updateMember,
  type MemberRow,
} from "./store.ts";

export { grantRole, memberOf, storedRole, type RoleGrant } from "./membership.ts";
export { AccessService } from "./access.ts";
export { GroupRules } from "./group-rules/rules.ts";
export { ServiceKeys } from "./keys/keys.ts";
export type { KeyRecord } from "./keys/store.ts";
export { Invitations } from "./invitations.ts";
export type { OpenInvitation } from "./invitation-wire.ts";
export {
  countAdmins,
  isAdminAnywhere,
  isMemberNear,
  lockWorkspace,
  memberByOid,
  renameMember,
} from "./store.ts";
export type { Remember } from "./roles.ts";

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
    private readonly parts: {
      readonly database: Database;
      readonly access: AccessService;
      readonly roles: RoleDefinitions;
      readonly now: () => Date;
    },
  ) {}

  async byEmail(workspaceId: string, email: string): Promise<Member> {
    const row = await memberByEmail(this.parts.database.read, workspaceId, email);
    if (row === undefined) throw noSuchMember();
    return memberOf(row);
  }

  async setRole(workspaceId: string, memberId: string, choice: RoleChoice): Promise<Member> {
    const { roles } = this.parts;
    const row = await this.#change(workspaceId, memberId, async (writer, member) => {
      await changeRole(writer, member, {
        ...(await roles.assigned(writer, workspaceId, choice)),
        at: this.parts.now(),
      });
    });
    return memberOf(row);
  }

  async remove(workspaceId: string, memberId: string): Promise<MemberReceipt> {
    const row = await this.#change(workspaceId, memberId, (writer, member) =>
      endMembership(writer, member, this.parts.now()),
    );
    return { memberId: row.id, oid: row.oid, status: "removed" };
  }

  async leave(principal: Principal, workspaceId: string): Promise<MemberReceipt> {
    const { database } = this.parts;
    const member = await memberByOid(database.read, workspaceId, principal.oid);
    if (member === undefined) throw workspaceNotFound();
    await this.#change(workspaceId, member.id, (writer, present) =>
      endMembership(writer, present, this.parts.now()),
    );
    return { memberId: member.id, oid: member.oid, status: "left" };
  }

  /** A disabled member stays listed and has no access; the last admin stays active. */
  async setStatus(
    workspaceId: string,
    memberId: string,
    status: "active" | "disabled",
  ): Promise<MemberReceipt> {
    const row = await this.#change(workspaceId, memberId, async (writer, member) => {
      if (status === "disabled") await requireOtherAdmin(writer, member, "disable the last admin");
      await updateMember(writer, member, { status, updated_at: this.parts.now().toISOString() });
    });
    return { memberId: row.id, oid: row.oid, status };
  }

  /** The member after the change; for one that the change has ended, before it. */
  async #change(
    workspaceId: string,
    memberId: string,
    work: (writer: Writer, member: MemberRow) => Promise<void>,
  ): Promise<MemberRow> {
    const { access, database } = this.parts;
    const row = await database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const member = await memberById(writer, workspaceId, memberId);
      if (member === undefined) throw noSuchMember();
      await work(writer, member);
      const changed = await memberById(writer, workspaceId, memberId);
      noteChange({
        target: { memberId, oid: member.oid, email: member.email },
        before: accessOf(member),
        after: changed === undefined ? {} : accessOf(changed),
      });
      return changed ?? member;
    });
    access.forgetMember(workspaceId, row.oid);
    return row;
  }
}

/** The facts of a member for the audit log. */
function accessOf({ role, role_key, status }: MemberRow): object {
  return { role: role_key ?? role, status };
}
