import { Refusal } from "#contract/problems.ts";
import type { Role } from "#contract/roles.ts";
import type { invitation, invited } from "#contract/workspaces.ts";
import type * as z from "zod";
import type { Principal } from "../../http/handler.ts";
import type { Database, Writer } from "../../database/database.ts";
import { insertUser, updateUser, userByEmail, type User } from "../identity/store.ts";
import {
  countAdmins,
  hasOtherMemberships,
  lockWorkspace,
  memberWithUser,
  roleOf,
} from "./store.ts";
import type { AccessService } from "./access.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Remember } from "./service.ts";
import { grantRole, memberOf } from "./membership.ts";

type Invitation = z.output<typeof invitation>;

type Invited = z.output<typeof invited>;

/** Adding people to a workspace, and changing the roles of those who are in it (spec 4.7). */
export class Invitations {
  readonly #database: Database;
  readonly #access: AccessService;
  readonly #identity: IdentityService;
  readonly #now: () => Date;
  /** False when another provider signs users in: then nobody has a password here. */
  readonly #hasPasswords: boolean;

  constructor(options: {
    database: Database;
    access: AccessService;
    identity: IdentityService;
    now: () => Date;
    hasPasswords: boolean;
  }) {
    this.#database = options.database;
    this.#access = options.access;
    this.#identity = options.identity;
    this.#now = options.now;
    this.#hasPasswords = options.hasPasswords;
  }

  /**
   * Adds a member, or changes the role of one (`user role set --email`). A person who is new here
   * gets a one-time password, which is in the answer once. It is renewed only for somebody who has
   * never signed in and whom no other workspace knows: otherwise an invitation would hand one
   * workspace's admin the account of another's member.
   */
  async invite(
    principal: Principal,
    workspaceId: string,
    invitation: Invitation,
    remember: Remember<Invited>,
  ): Promise<Invited> {
    const password = this.#hasPasswords ? await this.#prepare(invitation.email) : undefined;
    const invited = await this.#database.write(async (writer) => {
      await lockWorkspace(writer, workspaceId);
      const { user, isNew } = await this.#ensureUser(writer, invitation, password?.hash);
      const renews =
        !isNew && password !== undefined && (await isOnlyOurs(writer, user, workspaceId));
      if (renews) await this.#renewPassword(writer, user.oid, password.hash);
      await this.#setRole(writer, workspaceId, user.oid, invitation.role, principal.oid);
      const member = await memberWithUser(writer, workspaceId, user.oid);
      if (member === undefined) throw new TypeError("a member that was written is not there");
      const shown = (isNew || renews) && password !== undefined;
      const result: Invited = {
        member: memberOf(member),
        ...(shown ? { oneTimePassword: password.password } : {}),
      };
      remember(result);
      return result;
    });
    const { oid = "" } = invited.member;
    this.#access.forgetMember(workspaceId, oid);
    this.#access.forgetUser(oid);
    return invited;
  }

  async #setRole(
    writer: Writer,
    workspaceId: string,
    oid: string,
    role: Role,
    invitedBy: string,
  ): Promise<void> {
    const held = await roleOf(writer, workspaceId, oid);
    const losesAdmin = held === "tenant-admin" && role !== "tenant-admin";
    if (losesAdmin && (await countAdmins(writer, workspaceId)) < 2) {
      throw new Refusal("conflict", {
        detail: "Cannot take this role away: a workspace keeps at least one tenant-admin",
      });
    }
    await grantRole(writer, { workspaceId, oid, role, invitedBy, at: this.#now() });
  }

  /** Only where the password could be used: hashing costs time and memory. */
  async #prepare(email: string): Promise<{ password: string; hash: string } | undefined> {
    const user = await userByEmail(this.#database.read, email);
    if (user !== undefined && user.activated_at !== null) return undefined;
    return this.#identity.prepareOneTimePassword();
  }

  async #ensureUser(
    writer: Writer,
    invitation: Invitation,
    hash: string | undefined,
  ): Promise<{ user: User; isNew: boolean }> {
    const known = await userByEmail(writer, invitation.email);
    if (known !== undefined) return { user: known, isNew: false };
    const user = this.#identity.newUserRow(invitation, hash);
    if (await insertUser(writer, user)) return { user, isNew: true };
    throw new Refusal("overloaded", { detail: "This person was just added: ask again" });
  }

  async #renewPassword(writer: Writer, oid: string, hash: string): Promise<void> {
    await updateUser(writer, oid, {
      password_hash: hash,
      password_state: "one-time",
      password_expires_at: this.#identity.oneTimePasswordEnd(),
      updated_at: this.#now().toISOString(),
    });
  }
}

async function isOnlyOurs(writer: Writer, user: User, workspaceId: string): Promise<boolean> {
  if (user.activated_at !== null || user.system_admin === 1) return false;
  return !(await hasOtherMemberships(writer, user.oid, workspaceId));
}
