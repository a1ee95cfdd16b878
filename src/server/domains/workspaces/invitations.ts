import { Refusal } from "#contract/problems.ts";
import type { Role } from "#contract/roles.ts";
import type { invitation, invited } from "#contract/workspaces.ts";
import type * as z from "zod";
import type { Principal } from "../../http/handler.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { IdentityService, User } from "../identity/service.ts";
import type { AccessService } from "./access.ts";
import { grantRole, memberOf } from "./membership.ts";
import type { Remember } from "./service.ts";
import {
  countAdmins,
  hasOtherMemberships,
  lockWorkspace,
  memberWithUser,
  roleOf,
} from "./store.ts";

type Invitation = z.output<typeof invitation>;
type Invited = z.output<typeof invited>;

/** Adds people to a workspace and changes the roles of its members (spec 4.7). */
export class Invitations {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: AccessService;
      readonly identity: IdentityService;
      readonly now: () => Date;
      /** False when another provider signs users in. */
      readonly hasPasswords: boolean;
    },
  ) {}

  /**
   * Adds a member, or changes the role of one. A new user gets a one-time password, which only this
   * response holds. A later invitation renews it only where {@link isOnlyOurs}.
   */
  async invite(
    principal: Principal,
    workspaceId: string,
    invitation: Invitation,
    remember: Remember<Invited>,
  ): Promise<Invited> {
    const password = this.parts.hasPasswords
      ? await this.parts.identity.passwordForInvitation(invitation.email)
      : undefined;
    const invited = await this.parts.database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const { user, isNew } = await this.parts.identity.ensureInvited(
        writer,
        invitation,
        password?.hash,
      );
      const renews =
        !isNew && password !== undefined && (await isOnlyOurs(writer, user, workspaceId));
      if (renews) await this.parts.identity.renewOneTimePassword(writer, user.oid, password.hash);
      await this.#setRole(writer, workspaceId, user.oid, invitation.role, principal.oid);
      const member = await memberWithUser(writer, workspaceId, user.oid);
      if (member === undefined) throw new TypeError("a member that was written is missing");
      const isShown = (isNew || renews) && password !== undefined;
      const result: Invited = {
        member: memberOf(member),
        ...(isShown ? { oneTimePassword: password.password } : {}),
      };
      remember(result);
      return result;
    });
    const { oid = "" } = invited.member;
    this.parts.access.forgetMember(workspaceId, oid);
    this.parts.access.forgetUser(oid);
    return invited;
  }

  async #setRole(
    writer: Writer,
    workspaceId: string,
    oid: string,
    role: Role,
    invitedBy: string,
  ): Promise<void> {
    const current = await roleOf(writer, workspaceId, oid);
    const losesAdmin = current === "tenant-admin" && role !== "tenant-admin";
    if (losesAdmin && (await countAdmins(writer, workspaceId)) < 2) {
      throw new Refusal("conflict", {
        detail: `Cannot change this role to ${role}: a workspace needs at least one tenant-admin`,
      });
    }
    await grantRole(writer, { workspaceId, oid, role, invitedBy, at: this.parts.now() });
  }
}

/**
 * Whether the user has never signed in and belongs to no other workspace. Otherwise an invitation
 * would give one workspace's admin the account of another workspace's member.
 */
async function isOnlyOurs(writer: Writer, user: User, workspaceId: string): Promise<boolean> {
  if (user.activated_at !== null || user.system_admin === 1) return false;
  return !(await hasOtherMemberships(writer, user.oid, workspaceId));
}
