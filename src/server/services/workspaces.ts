import type { Membership } from "#contract/identity.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes, type Role } from "#contract/roles.ts";
import type {
  ChildCreation,
  invitation,
  invited,
  Member,
  RootCreation,
  Workspace,
} from "#contract/workspaces.ts";
import type * as z from "zod";
import type { Principal, WorkspaceScope } from "../handler.ts";
import type { Database, Writer } from "../stores/database.ts";
import { insertUser, updateUser, userByEmail, type User } from "../stores/identity.ts";
import {
  countAdmins,
  hasOtherMemberships,
  insertWorkspace,
  lockWorkspace,
  memberWithUser,
  putMember,
  roleOf,
  workspaceById,
  workspacesBelow,
  type MemberWithUser,
  type WorkspaceRecord,
} from "../stores/workspaces.ts";
import type { AccessService } from "./access.ts";
import { maximumMemberships, membershipOf, roleNamed, type IdentityService } from "./identity.ts";

/** Levels of workspaces below a root: deep enough for any organisation, and bounds every walk. */
const maximumDepth = 16;

type Invitation = z.output<typeof invitation>;

export type Invited = z.output<typeof invited>;

/** What the caller's answer is kept as; called inside the write unit (see `Context.remember`). */
export type Remember<Result> = (result: Result) => void;

/**
 * The workspace tree, and who is in which workspace (spec 2.1, 4.4, 5.5). No role is inherited: a
 * parent's admin acts on a child only through what is named for it here.
 */
export class WorkspaceService {
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

  /** A new root; its creator becomes its admin. */
  async createRoot(
    principal: Principal,
    creation: RootCreation,
    remember: Remember<Workspace>,
  ): Promise<Workspace> {
    const row = this.#newRow(principal, creation, creation.homeRegion, undefined);
    const workspace = await this.#database.write(async (writer) => {
      if (!(await insertWorkspace(writer, row))) throw slugTaken("another root workspace");
      await this.#addMember(writer, row.id, principal.oid, "tenant-admin", null);
      remember(workspaceOf(row));
      return workspaceOf(row);
    });
    this.#access.forgetMember(row.id, principal.oid);
    return workspace;
  }

  /** A new child in its parent's home region, with no member yet (spec 4.4: bootstrap-admin). */
  async createChild(
    principal: Principal,
    parentId: string,
    creation: ChildCreation,
    remember: Remember<Workspace>,
  ): Promise<Workspace> {
    return this.#database.write(async (writer) => {
      const parent = await workspaceById(writer, parentId);
      if (parent === undefined) throw new Refusal("not-found");
      if (parent.depth + 1 > maximumDepth) {
        throw new Refusal("conflict", {
          detail: `Cannot create a workspace here: the tree has ${maximumDepth} levels at most`,
        });
      }
      const row = this.#newRow(principal, creation, parent.home_region, parent);
      if (!(await insertWorkspace(writer, row))) throw slugTaken("a sibling workspace");
      remember(workspaceOf(row));
      return workspaceOf(row);
    });
  }

  /** First-admin repair of an immediate child, by an admin of its parent (spec 5.5). */
  async bootstrapAdmin(principal: Principal, parentId: string, childId: string): Promise<Member> {
    await this.#requireAdmin(parentId, principal);
    const member = await this.#database.write(async (writer) => {
      const child = await workspaceById(writer, childId);
      if (child?.parent_id !== parentId) throw new Refusal("not-found");
      await lockWorkspace(writer, childId);
      // Asked again after a lost answer, it has been done already.
      const isAdmin = (await roleOf(writer, childId, principal.oid)) === "tenant-admin";
      if (!isAdmin && (await countAdmins(writer, childId)) > 0) {
        throw new Refusal("conflict", {
          detail: "Cannot take over this workspace: it has an admin, who can invite you",
        });
      }
      if (!isAdmin) {
        await this.#addMember(writer, childId, principal.oid, "tenant-admin", principal.oid);
      }
      return memberWithUser(writer, childId, principal.oid);
    });
    this.#access.forgetMember(childId, principal.oid);
    if (member === undefined) throw new Refusal("not-found");
    return memberOf(member);
  }

  /**
   * A user's memberships in a workspace and everything below it. Oneself and the workspace's admin
   * see all of them; others see what they are a member of themselves.
   */
  async memberships(
    principal: Principal,
    workspace: WorkspaceScope,
    oid: string,
  ): Promise<Membership[]> {
    const { read } = this.#database;
    const rows = await workspacesBelow(read, workspace.id, oid, maximumMemberships);
    if (principal.oid === oid || roleIncludes(workspace.role, "tenant-admin")) {
      return rows.map(membershipOf);
    }
    const own = await workspacesBelow(read, workspace.id, principal.oid, maximumMemberships);
    const visible = new Set(own.map((row) => row.id));
    return rows.filter((row) => visible.has(row.id)).map(membershipOf);
  }

  /**
   * Adds a member, or changes the role of one (spec 4.7, `user role set --email`). A person who is
   * new here gets a one-time password, which is in the answer once. It is renewed only for somebody
   * who has never signed in and whom no other workspace knows: otherwise an invitation would hand
   * one workspace's admin the account of another's member.
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
    await this.#addMember(writer, workspaceId, oid, role, invitedBy);
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

  async #requireAdmin(workspaceId: string, principal: Principal): Promise<void> {
    const role = await this.#access.roleIn(workspaceId, principal.oid);
    if (role === undefined) throw new Refusal("not-found");
    if (!roleIncludes(role, "tenant-admin")) throw roleTooLow("tenant-admin", role);
  }

  async #addMember(
    writer: Writer,
    workspaceId: string,
    oid: string,
    role: Role,
    invitedBy: string | null,
  ): Promise<void> {
    const now = this.#now().toISOString();
    await putMember(writer, {
      workspace_id: workspaceId,
      oid,
      id: Bun.randomUUIDv7(),
      role,
      invited_by: invitedBy,
      created_at: now,
      updated_at: now,
    });
  }

  #newRow(
    principal: Principal,
    creation: ChildCreation,
    homeRegion: string,
    parent: WorkspaceRecord | undefined,
  ): WorkspaceRecord {
    const now = this.#now().toISOString();
    return {
      id: Bun.randomUUIDv7(),
      parent_id: parent?.id ?? null,
      parent_key: parent?.id ?? "",
      depth: parent === undefined ? 0 : parent.depth + 1,
      slug: creation.slug,
      display_name: creation.displayName,
      domain: creation.domain ?? null,
      usecase: creation.usecase,
      industry: creation.industry ?? null,
      starter_template: creation.starterTemplate,
      home_region: homeRegion,
      created_by: principal.oid,
      created_at: now,
      updated_at: now,
    };
  }
}

/** 403 that names what is needed and what the caller has. */
export function roleTooLow(requiredRole: string, currentRole: string): Refusal {
  return new Refusal("permission-denied", {
    detail: `This needs the role ${requiredRole}; yours is ${currentRole}`,
    members: { requiredRole, currentRole },
  });
}

async function isOnlyOurs(writer: Writer, user: User, workspaceId: string): Promise<boolean> {
  if (user.activated_at !== null || user.system_admin === 1) return false;
  return !(await hasOtherMemberships(writer, user.oid, workspaceId));
}

function slugTaken(who: string): Refusal {
  return new Refusal("already-exists", {
    detail: `Cannot use this slug: ${who} has it`,
    errors: [{ pointer: pointer("slug"), detail: "is taken" }],
  });
}

function workspaceOf(row: WorkspaceRecord): Workspace {
  return {
    id: row.id,
    slug: row.slug,
    displayName: row.display_name,
    parentId: row.parent_id,
    domain: row.domain,
    usecase: row.usecase,
    industry: row.industry,
    starterTemplate: row.starter_template,
    homeRegion: row.home_region,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A member as the wire has it: names that are not known are left out. */
export function memberOf(row: MemberWithUser): Member {
  return {
    memberId: row.id,
    oid: row.oid,
    ...(row.email === "" ? {} : { email: row.email }),
    displayName: row.display_name,
    ...(row.first_name === null ? {} : { firstName: row.first_name }),
    ...(row.last_name === null ? {} : { lastName: row.last_name }),
    role: roleNamed(row.role),
    status: row.status,
    created_at: row.created_at,
  };
}
