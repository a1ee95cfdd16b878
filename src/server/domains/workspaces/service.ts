import type { Membership } from "#contract/access/identity.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import type { Member } from "#contract/access/members.ts";
import type {
  ChildCreation,
  RootCreation,
  Workspace,
  WorkspaceChange,
} from "#contract/workspaces/workspaces.ts";
import type { Principal, WorkspaceScope } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { StarterTemplates } from "../starter-templates/service.ts";
import { grantRole, makeFirstAdmin } from "../members/service.ts";
import {
  changeWorkspace,
  insertWorkspace,
  workspaceById,
  workspacesBelow,
  workspacesOf,
  type WorkspaceRecord,
  type WorkspaceWithRole,
} from "./store.ts";
import { storedRole } from "../../work/held-role.ts";

/** This is more than a person can look through; the list has no pages in the interface. */
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
      readonly objectTypes: ObjectTypeService;
      readonly starterTemplates: StarterTemplates;
      readonly now: () => Date;
      /** Signs the empty log of a new workspace: a log without a signature is then a fault. */
      readonly sealLog: (tx: Transaction, workspaceId: string) => Promise<void>;
    },
  ) {}

  /** Creates a root; the caller becomes its admin. */
  async createRoot(work: Work, principal: Principal, creation: RootCreation): Promise<Workspace> {
    const row = this.#newRow(principal, creation, creation.homeRegion, undefined);
    const fill = this.#filling(principal, creation.starterTemplate);
    await work.write(async (tx) => {
      if (!(await insertWorkspace(tx, row))) throw slugTaken("another root workspace");
      await this.parts.sealLog(tx, row.id);
      await fill(tx, row.id);
      tx.note({ workspaceId: row.id, target: { id: row.id, slug: row.slug } });
      await grantRole(tx, {
        workspaceId: row.id,
        oid: principal.oid,
        role: "tenant-admin",
        invitedBy: null,
        at: this.parts.now(),
      });
      tx.remember(workspaceOf(row));
    });
    return workspaceOf(row);
  }

  /** Creates a child without members, in its parent's home region (spec 4.4). */
  async createChild(
    work: Work,
    principal: Principal,
    parentId: string,
    creation: ChildCreation,
  ): Promise<Workspace> {
    const fill = this.#filling(principal, creation.starterTemplate);
    return work.everywhere("the child, which is another workspace").write(async (tx) => {
      const parent = await workspaceById(tx, parentId);
      if (parent === undefined) throw new Refusal("not-found");
      if (parent.depth + 1 > maximumDepth) {
        throw new Refusal("conflict", {
          detail: `Cannot create a workspace here: a tree has at most ${maximumDepth} levels below its root`,
        });
      }
      const row = this.#newRow(principal, creation, parent.home_region, parent);
      if (!(await insertWorkspace(tx, row))) throw slugTaken("a sibling workspace");
      await this.parts.sealLog(tx, row.id);
      await fill(tx, row.id);
      // The log of the parent outlives the child, whose purge leaves no name.
      tx.note({ target: { id: row.id } });
      tx.remember(workspaceOf(row));
      return workspaceOf(row);
    });
  }

  async update(work: Work, workspaceId: string, { timeZone }: WorkspaceChange): Promise<Workspace> {
    return work.write(async (tx) => {
      const before = await workspaceById(tx, workspaceId);
      if (before === undefined) throw new Refusal("not-found");
      const change = { time_zone: timeZone, updated_at: this.parts.now().toISOString() };
      await changeWorkspace(tx, workspaceId, change);
      tx.note({
        target: { id: workspaceId, slug: before.slug },
        before: { timeZone: before.time_zone },
        after: { timeZone },
      });
      return workspaceOf({ ...before, ...change });
    });
  }

  /** Makes an admin of the parent the first admin of a direct child (spec 5.5). */
  async bootstrapAdmin(
    work: Work,
    principal: Principal,
    parentId: string,
    childId: string,
  ): Promise<Member> {
    const { oid } = principal;
    const member = await work.everywhere("the members of the child").write(async (tx) => {
      const child = await workspaceById(tx, childId);
      if (child?.parent_id !== parentId) throw new Refusal("not-found");
      // The request names two workspaces; the members of the child are those that change.
      tx.note({ workspaceId: childId, target: { oid } });
      return makeFirstAdmin(tx, { workspaceId: childId, oid, at: this.parts.now() });
    });
    if (member === undefined) throw new Refusal("not-found");
    return member;
  }

  /** True if a living workspace is a direct child of another one. */
  async isChild({ read }: Work, parentId: string, childId: string): Promise<boolean> {
    return (await workspaceById(read, childId))?.parent_id === parentId;
  }

  /** A page of the caller's memberships: roots first, then by depth and slug. */
  async membershipsOf(
    { read }: Work,
    { oid, appWorkspaceId: nearId }: Principal,
    page: { readonly areDeleted: boolean; readonly limit: number; readonly offset: number },
  ): Promise<Membership[]> {
    const rows = await workspacesOf(read, { oid, nearId, ...page });
    return rows.map(membershipOf);
  }

  /** The caller's membership in a workspace; undefined without one. */
  async membershipIn(
    { read }: Work,
    { oid, appWorkspaceId: nearId }: Principal,
    id: string,
  ): Promise<Membership | undefined> {
    const [row] = await workspacesOf(read, { oid, nearId, id, limit: 1 });
    return row === undefined ? undefined : membershipOf(row);
  }

  /**
   * A user's memberships in a workspace and all workspaces below it. The user and the workspace's
   * admin see all of them; others see only workspaces that they belong to.
   */
  async membershipsBelow(
    work: Work,
    workspace: WorkspaceScope,
    oid: string,
  ): Promise<Membership[]> {
    const { caller } = work.scope;
    const { read } = work.everywhere("memberships in the workspaces below");
    const rows = await workspacesBelow(read, workspace.id, oid, maximumMemberships);
    if (caller === oid || roleIncludes(workspace.role, "tenant-admin")) {
      return rows.map(membershipOf);
    }
    const own = await workspacesBelow(read, workspace.id, caller, maximumMemberships);
    const visible = new Set(own.map((row) => row.id));
    return rows.filter((row) => visible.has(row.id)).map(membershipOf);
  }

  /** Writes the template's Object Types in the transaction that makes the workspace. */
  #filling(
    principal: Principal,
    template: string,
  ): (tx: Transaction, workspaceId: string) => Promise<void> {
    const types = this.parts.starterTemplates.typesFor(template);
    const { objectTypes } = this.parts;
    return async (tx, workspaceId) => {
      await objectTypes.createWithin(tx, { workspaceId, oid: principal.oid }, types);
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
      time_zone: "UTC",
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
    timeZone: row.time_zone,
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
    timeZone: row.time_zone,
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
