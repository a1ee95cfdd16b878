import type { KeyChoice } from "#contract/access/key-choices.ts";
import type { ChangedKey } from "#contract/access/keys.ts";
import type { Member, MemberReceipt } from "#contract/access/members.ts";
import type { Role } from "#contract/access/roles.ts";
import { workspaceNotFound } from "../../work/refusals.ts";
import type { Transaction, Work } from "../../work/work.ts";
import {
  changeRole,
  endMembership,
  noSuchMember,
  requireOtherAdmin,
  requireStillAdmin,
} from "./admin-rule.ts";
import { keyFacts, settleMadeKeys, type KeyFacts } from "./keys/made-keys.ts";
import { memberOf } from "./membership.ts";
import type { RoleDefinitions } from "./roles.ts";
import { memberByEmail, memberById, memberByOid, updateMember, type MemberRow } from "./store.ts";
import { settleMadeEndpoints, type SettledEndpoint } from "../webhooks/service.ts";
import { lockWorkspace } from "../workspace-lock.ts";

export type { RoleDefinitions } from "./roles.ts";
export { grantRole } from "./membership.ts";
export { makeFirstAdmin, requireStillAdmin } from "./admin-rule.ts";
export { AccessService } from "./access.ts";
export { GroupRules } from "./group-rules/rules.ts";
export { ServiceKeys } from "./keys/keys.ts";
export {
  mailedMembers,
  mailedMemberships,
  type MailedMember,
  type MailedMembership,
} from "./mailed-members.ts";
export { Invitations } from "./invitations.ts";
export type { OpenInvitation } from "./invitation-wire.ts";

interface RoleChoice {
  readonly role?: Role | undefined;
  readonly roleDefinitionId?: string | undefined;
}

/** A change of a member, which resolves to the keys that it has changed. */
type MemberChange = (tx: Transaction, member: MemberRow) => Promise<ChangedKey[]>;

interface ChangedMember {
  readonly row: MemberRow;
  readonly keys: KeyFacts;
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
    const { row, keys } = await this.#manage(work, workspaceId, memberId, async (tx, member) => {
      const role = await this.roles.assigned(tx, workspaceId, choice);
      return changeRole(tx, member, { ...role, at: this.now() });
    });
    return { ...memberOf(row), ...keys };
  }

  async remove(
    work: Work,
    workspaceId: string,
    memberId: string,
    choice: KeyChoice,
  ): Promise<MemberReceipt> {
    const ended = await this.#ended(choice, (end) =>
      this.#manage(work, workspaceId, memberId, end),
    );
    return { memberId: ended.row.id, oid: ended.row.oid, status: "removed", ...ended.facts };
  }

  async leave(work: Work, workspaceId: string, choice: KeyChoice): Promise<MemberReceipt> {
    const member = await memberByOid(work.read, workspaceId, work.scope.caller);
    if (member === undefined) throw workspaceNotFound();
    const ended = await this.#ended(choice, (end) =>
      this.#change(work, workspaceId, member.id, end),
    );
    return { memberId: member.id, oid: member.oid, status: "left", ...ended.facts };
  }

  /** Ends a membership, with the keys and webhook endpoints that the member made. */
  async #ended(
    choice: KeyChoice,
    run: (end: MemberChange) => Promise<ChangedMember>,
  ): Promise<{ readonly row: MemberRow; readonly facts: Partial<MemberReceipt> }> {
    let webhooks: SettledEndpoint[] = [];
    const { row, keys } = await run(async (tx, member) => {
      const at = this.now();
      await endMembership(tx, member, at);
      webhooks = await settleMadeEndpoints(tx, member, { keeps: choice === "keep", at });
      return settleMadeKeys(tx, member, { choice, at });
    });
    return { row, facts: { ...keys, ...(webhooks.length === 0 ? {} : { webhooks }) } };
  }

  /** A disabled member stays listed and has no access; the last admin stays active. */
  async setStatus(
    work: Work,
    workspaceId: string,
    memberId: string,
    status: "active" | "disabled",
  ): Promise<MemberReceipt> {
    const { row } = await this.#manage(work, workspaceId, memberId, async (tx, member) => {
      if (status === "disabled") await requireOtherAdmin(tx, member, "disable the last admin");
      await updateMember(tx, member, { status, updated_at: this.now().toISOString() });
      return [];
    });
    return { memberId: row.id, oid: row.oid, status };
  }

  /** Runs {@link #change} for an admin. */
  #manage(
    work: Work,
    workspaceId: string,
    memberId: string,
    change: MemberChange,
  ): Promise<ChangedMember> {
    return this.#change(work, workspaceId, memberId, async (tx, member) => {
      await requireStillAdmin(tx, workspaceId, work.scope.caller);
      return change(tx, member);
    });
  }

  /**
   * The member after the change, and before it for one that the change has ended, with the keys
   * that it has changed.
   */
  async #change(
    work: Work,
    workspaceId: string,
    memberId: string,
    change: MemberChange,
  ): Promise<ChangedMember> {
    const wide = work.everywhere("keys of a member that other workspaces own");
    return wide.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const member = await memberById(tx, workspaceId, memberId);
      if (member === undefined) throw noSuchMember();
      const keys = keyFacts(await change(tx, member));
      const changed = await memberById(tx, workspaceId, memberId);
      tx.note({
        target: { memberId, oid: member.oid, email: member.email },
        before: accessOf(member),
        after: changed === undefined ? keys : { ...accessOf(changed), ...keys },
      });
      return { row: changed ?? member, keys };
    });
  }
}

/** The facts of a member for the audit log. */
function accessOf({ role, role_key, status }: MemberRow): object {
  return { role: role_key ?? role, status };
}
