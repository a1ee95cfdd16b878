import type { Membership } from "#contract/identity.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/roles.ts";
import type { Member } from "#contract/members.ts";
import type { ChildCreation, RootCreation, Workspace } from "#contract/workspaces.ts";
import type { Principal, WorkspaceScope } from "../../http/handler.ts";
import { roleTooLow, workspaceNotFound } from "../../http/pipeline-refusals.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { StarterTemplates } from "../starter-templates/service.ts";
import {
  countAdmins,
  grantRole,
  lockWorkspace,
  memberByOid,
  memberOf,
  storedRole,
  type AccessService,
  type Remember,
} from "../members/service.ts";
import { noteChange } from "../../kit/change-note.ts";
import { Caches } from "../../work/caches.ts";
import { UnitFacts, UnitTransaction } from "../../work/unit-facts.ts";
import {
  insertWorkspace,
  workspaceById,
  workspacesBelow,
  workspacesOf,
  type WorkspaceRecord,
  type WorkspaceWithRole,
} from "./store.ts";

/** More workspaces than a person can look through; the list has no pages in the interface. */
const maximumMemberships = 5_000;

/** Levels below a root: enough for any organisation, and a bound for every walk of the tree. */
const maximumDepth = 16;

/**
 * The workspace tree and its memberships (spec 2.1, 4.4, 5.5). No role is inherited: a parent's
 * admin may only create a child and become its first admin.
 */
export class WorkspaceService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: AccessService;
      readonly objectTypes: ObjectTypeService;
      readonly starterTemplates: StarterTemplates;
      readonly now: () => Date;
    },
  ) {}

  /** Creates a root; the caller becomes its admin. */
  async createRoot(
    principal: Principal,
    creation: RootCreation,
    remember: Remember<Workspace>,
  ): Promise<Workspace> {
    const row = this.#newRow(principal, creation, creation.homeRegion, undefined);
    const fill = this.#filling(principal, creation.starterTemplate);
    const published = await this.parts.database.write(async (writer) => {
      if (!(await insertWorkspace(writer, row))) throw slugTaken("another root workspace");
      const publish = await fill(writer, row.id);
      noteChange({ workspaceId: row.id, target: { id: row.id, slug: row.slug } });
      await grantRole(writer, {
        workspaceId: row.id,
        oid: principal.oid,
        role: "tenant-admin",
        invitedBy: null,
        at: this.parts.now(),
      });
      remember(workspaceOf(row));
      return publish;
    });
    published();
    this.parts.access.forgetMember(row.id, principal.oid);
    return workspaceOf(row);
  }

  /** Creates a child without members, in its parent's home region (spec 4.4). */
  async createChild(
    principal: Principal,
    parentId: string,
    creation: ChildCreation,
    remember: Remember<Workspace>,
  ): Promise<Workspace> {
    const fill = this.#filling(principal, creation.starterTemplate);
    const { row, publish } = await this.parts.database.write(async (writer) => {
      const parent = await workspaceById(writer, parentId);
      if (parent === undefined) throw new Refusal("not-found");
      if (parent.depth + 1 > maximumDepth) {
        throw new Refusal("conflict", {
          detail: `Cannot create a workspace here: a tree has at most ${maximumDepth} levels below its root`,
        });
      }
      const row = this.#newRow(principal, creation, parent.home_region, parent);
      if (!(await insertWorkspace(writer, row))) throw slugTaken("a sibling workspace");
      const publish = await fill(writer, row.id);
      // The log of the parent outlives the child, whose purge leaves no name.
      noteChange({ target: { id: row.id } });
      remember(workspaceOf(row));
      return { row, publish };
    });
    publish();
    return workspaceOf(row);
  }

  /** Makes an admin of the parent the first admin of a direct child (spec 5.5). */
  async bootstrapAdmin(principal: Principal, parentId: string, childId: string): Promise<Member> {
    await this.#requireAdmin(parentId, principal);
    const member = await this.parts.database.write(async (writer) => {
      const child = await workspaceById(writer, childId);
      if (child?.parent_id !== parentId) throw new Refusal("not-found");
      // The request names two workspaces; the members of the child are those that change.
      noteChange({ workspaceId: childId, target: { oid: principal.oid } });
      await lockWorkspace(writer, childId);
      // A retry after a lost response finds the caller as admin.
      const present = await memberByOid(writer, childId, principal.oid);
      const isAdmin = present?.role === "tenant-admin" && present.status === "active";
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
          at: this.parts.now(),
        });
        noteChange({ before: { role: present?.role ?? null }, after: { role: "tenant-admin" } });
      }
      return memberByOid(writer, childId, principal.oid);
    });
    this.parts.access.forgetMember(childId, principal.oid);
    if (member === undefined) throw new Refusal("not-found");
    return memberOf(member);
  }

  /** Whether a workspace lives directly below another one. */
  async isChild(parentId: string, childId: string): Promise<boolean> {
    return (await workspaceById(this.parts.database.read, childId))?.parent_id === parentId;
  }

  /** A page of the caller's memberships: roots first, then by depth and slug. */
  async membershipsOf(
    { oid, appWorkspaceId: nearId }: Principal,
    page: { readonly areDeleted: boolean; readonly limit: number; readonly offset: number },
  ): Promise<Membership[]> {
    const rows = await workspacesOf(this.parts.database.read, { oid, nearId, ...page });
    return rows.map(membershipOf);
  }

  /** The caller's membership in a workspace; undefined without one. */
  async membershipIn(
    { oid, appWorkspaceId: nearId }: Principal,
    id: string,
  ): Promise<Membership | undefined> {
    const { read } = this.parts.database;
    const [row] = await workspacesOf(read, { oid, nearId, id, limit: 1 });
    return row === undefined ? undefined : membershipOf(row);
  }

  /**
   * A user's memberships in a workspace and all workspaces below it. The user and the workspace's
   * admin see all of them; others see only workspaces that they belong to.
   */
  async membershipsBelow(
    principal: Principal,
    workspace: WorkspaceScope,
    oid: string,
  ): Promise<Membership[]> {
    const { read } = this.parts.database;
    const rows = await workspacesBelow(read, workspace.id, oid, maximumMemberships);
    if (principal.oid === oid || roleIncludes(workspace.role, "tenant-admin")) {
      return rows.map(membershipOf);
    }
    const own = await workspacesBelow(read, workspace.id, principal.oid, maximumMemberships);
    const visible = new Set(own.map((row) => row.id));
    return rows.filter((row) => visible.has(row.id)).map(membershipOf);
  }

  async #requireAdmin(workspaceId: string, principal: Principal): Promise<void> {
    const role = await this.parts.access.roleIn(workspaceId, principal.oid);
    if (role === undefined) throw workspaceNotFound();
    if (!roleIncludes(role, "tenant-admin")) throw roleTooLow("tenant-admin", role);
  }

  /** Writes the template's Object Types in the unit that makes the workspace. */
  #filling(
    principal: Principal,
    template: string,
  ): (writer: Writer, workspaceId: string) => Promise<() => void> {
    const types = this.parts.starterTemplates.typesFor(template);
    return async (writer, workspaceId) => {
      const facts = new UnitFacts(undefined);
      const tx = new UnitTransaction(writer, facts);
      const by = { workspaceId, oid: principal.oid };
      await this.parts.objectTypes.createWithin(tx, by, types);
      if (facts.noted !== undefined) noteChange(facts.noted);
      return () => facts.settle(new Caches());
    };
  }

  #newRow(
    principal: Principal,
    creation: ChildCreation,
    homeRegion: string,
    parent: WorkspaceRecord | undefined,
  ): WorkspaceRecord {
    const now = this.parts.now().toISOString();
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
      deleted_at: null,
      deleted_by: null,
      purge_at: null,
      purge_id: null,
    };
  }
}

function slugTaken(holder: string): Refusal {
  return new Refusal("already-exists", {
    detail: `Cannot use this slug: ${holder} has it`,
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

function membershipOf(row: WorkspaceWithRole): Membership {
  return {
    id: row.id,
    slug: row.slug,
    displayName: row.display_name,
    parentId: row.parent_id,
    role: storedRole(row.role),
    homeRegion: row.home_region,
    usecase: row.usecase,
    domain: row.domain,
    industry: row.industry,
    starterTemplate: row.starter_template,
    created_at: row.created_at,
    ...(row.deleted_at === null || row.purge_at === null
      ? {}
      : { deletedAt: row.deleted_at, restorableUntil: row.purge_at }),
  };
}
