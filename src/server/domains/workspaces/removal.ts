import { Refusal } from "#contract/problems.ts";
import type {
  DeletedWorkspace,
  PurgedWorkspace,
  RestoredWorkspace,
} from "#contract/workspace-removal.ts";
import { counted } from "#lib/counted.ts";
import type { Principal, WorkspaceScope } from "../../http/handler.ts";
import { roleTooLow, workspaceNotFound } from "../../http/pipeline-refusals.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { WorkspacePurges } from "../purges/service.ts";
import { lockWorkspace, type AccessService } from "../members/service.ts";
import { noteChange } from "../../kit/change-note.ts";
import {
  anyWorkspaceById,
  countChildren,
  overdueWorkspaces,
  restorableById,
  setDeletion,
  type WorkspaceRecord,
} from "./store.ts";

const lookIntervalMs = 30_000;
const overdueAtOnce = 100;

/** Deletion, restoration and purge of workspaces (spec 3, 4.4, 4.7 rule 3). */
export class WorkspaceRemoval {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: AccessService;
      readonly purges: WorkspacePurges;
      readonly now: () => Date;
      readonly lifetime: Lifetime;
      /** How long a deleted workspace can be restored. */
      readonly restorableMs: number;
    },
  ) {}

  /** Purges overdue workspaces now and from time to time. */
  start(): void {
    // A start does not wait for purges; the timer reports what fails.
    void this.purgeOverdue().catch(() => {});
    this.parts.lifetime.every(lookIntervalMs, "overdue-workspaces-not-purged", () =>
      this.purgeOverdue(),
    );
  }

  /** Only marks the workspace; a repeated deletion returns the first receipt. */
  async delete(principal: Principal, workspaceId: string): Promise<DeletedWorkspace> {
    const { database, access, now, restorableMs } = this.parts;
    const deleted = await database.write(async (writer) => {
      const row = await this.#locked(writer, workspaceId);
      if (row.deleted_at !== null) return row;
      const { living } = await countChildren(writer, workspaceId);
      if (living > 0) {
        throw new Refusal("conflict", {
          detail: `Cannot delete this workspace: ${counted(living, "workspace")} below it must be deleted first`,
        });
      }
      const at = now();
      const deletion = {
        deleted_at: at.toISOString(),
        deleted_by: principal.oid,
        purge_at: new Date(at.getTime() + restorableMs).toISOString(),
      };
      await setDeletion(writer, workspaceId, deletion);
      noteChange({ target: { id: row.id, slug: row.slug }, after: { status: "deleted" } });
      return { ...row, ...deletion };
    });
    access.forgetWorkspaces();
    return {
      tenantId: deleted.id,
      slug: deleted.slug,
      status: "deleted",
      ...(deleted.deleted_at === null ? {} : { deletedAt: deleted.deleted_at }),
      ...(deleted.purge_at === null ? {} : { restorableUntil: deleted.purge_at }),
    };
  }

  async restore(workspaceId: string): Promise<RestoredWorkspace> {
    const { database, access, now } = this.parts;
    const { id, slug } = await database.write(async (writer) => {
      const row = await this.#locked(writer, workspaceId);
      if (row.deleted_at === null) throw notRestorable("it is not deleted");
      if ((row.purge_at ?? "") <= now().toISOString())
        throw notRestorable("its deadline has passed");
      const parent =
        row.parent_id === null ? undefined : await restorableById(writer, row.parent_id);
      if (row.parent_id !== null && parent?.deleted_at !== null) {
        throw notRestorable("its parent is deleted; restore the parent first");
      }
      await setDeletion(writer, workspaceId, {
        deleted_at: null,
        deleted_by: null,
        purge_at: null,
      });
      noteChange({ target: { id: row.id, slug: row.slug }, after: { status: "restored" } });
      return row;
    });
    access.forgetWorkspaces();
    return { tenantId: id, slug, status: "restored" };
  }

  /** Removes a workspace and all below it for good; only the system administrator may. */
  async purgeTree(
    principal: Principal,
    { id, role }: WorkspaceScope,
    signal: AbortSignal,
  ): Promise<DeletedWorkspace> {
    if (!principal.systemAdmin) throw roleTooLow("system-admin", role);
    const { database, purges } = this.parts;
    const begun = await database.write(async (writer) => {
      const row = await anyWorkspaceById(writer, id);
      if (row === undefined) return undefined;
      return row.purge_id ?? (await this.#begin(writer, row, principal.oid));
    });
    const purgeId = begun ?? (await purges.find(id));
    if (purgeId === undefined) throw workspaceNotFound();
    this.parts.access.forgetWorkspaces();
    return { tenantId: id, ...(await purges.receipt(purgeId, signal)) };
  }

  /** Removes a direct child without children for good. */
  async purgeChild(
    principal: Principal,
    parentId: string,
    childId: string,
    signal: AbortSignal,
  ): Promise<PurgedWorkspace> {
    const { database, purges } = this.parts;
    const begun = await database.write(async (writer) => {
      const row = await anyWorkspaceById(writer, childId);
      if (row?.parent_id !== parentId) return undefined;
      if (row.purge_id !== null) return row.purge_id;
      await lockWorkspace(writer, childId);
      const { living, deleted } = await countChildren(writer, childId);
      if (living + deleted > 0) {
        const waiting = deleted > 0 ? ` (${deleted} deleted, and not purged yet)` : "";
        throw new Refusal("conflict", {
          detail: `Cannot purge this workspace: it has ${counted(living + deleted, "workspace")} below it${waiting}`,
        });
      }
      return this.#begin(writer, row, principal.oid);
    });
    const purgeId = begun ?? (await purges.find(childId, parentId));
    if (purgeId === undefined) throw new Refusal("not-found");
    this.parts.access.forgetWorkspaces();
    return { childId, parentId, ...(await purges.receipt(purgeId, signal)) };
  }

  /** Begins the purge of every workspace whose deadline has passed. */
  async purgeOverdue(): Promise<void> {
    const { database, purges, now } = this.parts;
    for (;;) {
      const overdue = await overdueWorkspaces(database.read, now().toISOString(), overdueAtOnce);
      for (const { id } of overdue) {
        await database.write(async (writer) => {
          const row = await restorableById(writer, id);
          const isOverdue = row !== undefined && (row.purge_at ?? "~") <= now().toISOString();
          if (isOverdue) await this.#begin(writer, row, row.deleted_by ?? row.created_by);
        });
      }
      if (overdue.length === 0) return;
      purges.wake();
      // A parent is overdue once its children are gone.
      await purges.idle();
    }
  }

  #begin(writer: Writer, row: WorkspaceRecord, requestedBy: string): Promise<string> {
    const { id: rootId, parent_id: parentId } = row;
    return this.parts.purges.begin(writer, { rootId, parentId, requestedBy });
  }

  async #locked(writer: Writer, id: string): Promise<WorkspaceRecord> {
    await lockWorkspace(writer, id);
    const row = await restorableById(writer, id);
    if (row === undefined) throw workspaceNotFound();
    return row;
  }
}

function notRestorable(reason: string): Refusal {
  return new Refusal("conflict", { detail: `Cannot restore this workspace: ${reason}` });
}
