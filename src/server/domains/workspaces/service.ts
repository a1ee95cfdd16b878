import type { Membership } from "#contract/identity.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/roles.ts";
import type { ChildCreation, Member, RootCreation, Workspace } from "#contract/workspaces.ts";
import type { Principal, WorkspaceScope } from "../../http/handler.ts";
import { roleTooLow, workspaceNotFound } from "../../http/pipeline-refusals.ts";
import type { Database } from "../../database/database.ts";
import {
  countAdmins,
  insertWorkspace,
  lockWorkspace,
  memberWithUser,
  roleOf,
  workspaceById,
  workspacesBelow,
  type WorkspaceRecord,
} from "./store.ts";
import type { AccessService } from "./access.ts";
import { maximumMemberships, membershipOf } from "../identity/service.ts";
import { grantRole, memberOf } from "./member.ts";

/** Levels of workspaces below a root: deep enough for any organisation, and bounds every walk. */
const maximumDepth = 16;

/** What the caller's answer is kept as; called inside the write unit (see `Context.remember`). */
export type Remember<Result> = (result: Result) => void;

/**
 * The workspace tree, and who sees which workspace (spec 2.1, 4.4, 5.5). No role is inherited: a
 * parent's admin acts on a child only through what is named for it here.
 */
export class WorkspaceService {
  readonly #database: Database;
  readonly #access: AccessService;
  readonly #now: () => Date;

  constructor(options: { database: Database; access: AccessService; now: () => Date }) {
    this.#database = options.database;
    this.#access = options.access;
    this.#now = options.now;
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
      await grantRole(writer, {
        workspaceId: row.id,
        oid: principal.oid,
        role: "tenant-admin",
        invitedBy: null,
        at: this.#now(),
      });
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
        await grantRole(writer, {
          workspaceId: childId,
          oid: principal.oid,
          role: "tenant-admin",
          invitedBy: principal.oid,
          at: this.#now(),
        });
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

  async #requireAdmin(workspaceId: string, principal: Principal): Promise<void> {
    const role = await this.#access.roleIn(workspaceId, principal.oid);
    if (role === undefined) throw workspaceNotFound();
    if (!roleIncludes(role, "tenant-admin")) throw roleTooLow("tenant-admin", role);
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
