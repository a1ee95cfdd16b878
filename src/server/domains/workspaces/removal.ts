import { Refusal } from "#contract/problems.ts";
import type {
  DeletedWorkspace,
  PurgedWorkspace,
  RestoredWorkspace,
} from "#contract/workspaces/workspace-removal.ts";
import { counted } from "#lib/text/counted.ts";
import { given } from "#lib/given.ts";
import type { Writer } from "../../database/database.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Principal, WorkspaceScope } from "../../work/caller.ts";
import { roleTooLow, workspaceNotFound } from "../../work/refusals.ts";
import { olderTransactionsEnded } from "../../work/older-transactions.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import type { WorkspacePurges } from "../purges/service.ts";
import {
  anyWorkspaceById,
  countChildren,
  overdueWorkspaces,
  restorableById,
  changeWorkspace,
  type WorkspaceRecord,
} from "./store.ts";

const lookIntervalMs = 30_000;
const overdueAtOnce = 100;
/** A unit is rolled back after 5 s. */
const olderWritesLimitMs = 6_000;
const tree = "the workspace with its parent and its children";

/** Deletion, restoration and purge of workspaces (spec 3, 4.4, 4.7 rule 3). */
export class WorkspaceRemoval {
  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
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
    this.purgeOverdue().catch(() => {});
    this.parts.lifetime.every(lookIntervalMs, "overdue-workspaces-not-purged", () =>
      this.purgeOverdue(),
    );
  }

  /** Marks the workspace, and removes nothing; a repeated deletion returns the first receipt. */
  async delete(work: Work, workspaceId: string): Promise<DeletedWorkspace> {
    const { now, restorableMs } = this.parts;
    const deleted = await work.everywhere(tree).write(async (tx) => {
      const row = await this.#locked(tx, workspaceId);
      if (row.deleted_at !== null) return row;
      const { living } = await countChildren(tx, workspaceId);
      if (living > 0) {
        throw new Refusal("conflict", {
          detail: `Cannot delete this workspace: ${counted(living, "workspace")} below it must be deleted first`,
        });
      }
      const at = now();
      const deletion = {
        deleted_at: at.toISOString(),
        deleted_by: work.scope.caller,
        purge_at: new Date(at.getTime() + restorableMs).toISOString(),
      };
      await changeWorkspace(tx, workspaceId, deletion);
      tx.note({ target: { id: row.id, slug: row.slug }, after: { status: "deleted" } });
      return { ...row, ...deletion };
    });
    // They may still write to the workspace, which they saw before it was deleted.
    await olderTransactionsEnded(work.read, { limitMs: olderWritesLimitMs });
    return {
      tenantId: deleted.id,
      slug: deleted.slug,
      status: "deleted",
      ...given({
        deletedAt: deleted.deleted_at ?? undefined,
        restorableUntil: deleted.purge_at ?? undefined,
      }),
    };
  }

  async restore(work: Work, workspaceId: string): Promise<RestoredWorkspace> {
    const { now } = this.parts;
    const { id, slug } = await work.everywhere(tree).write(async (tx) => {
      const row = await this.#locked(tx, workspaceId);
      if (row.deleted_at === null) throw notRestorable("it is not deleted");
      if ((row.purge_at ?? "") <= now().toISOString())
        throw notRestorable("its deadline has passed");
      const parent = row.parent_id === null ? undefined : await restorableById(tx, row.parent_id);
      if (row.parent_id !== null && parent?.deleted_at !== null) {
        throw notRestorable("its parent is deleted; restore the parent first");
      }
      await changeWorkspace(tx, workspaceId, {
        deleted_at: null,
        deleted_by: null,
        purge_at: null,
      });
      tx.note({ target: { id: row.id, slug: row.slug }, after: { status: "restored" } });
      return row;
    });
    return { tenantId: id, slug, status: "restored" };
  }

  /** Removes a workspace and all below it for good; only the system administrator may. */
  async purgeTree(
    work: Work,
    principal: Principal,
    { id, role }: WorkspaceScope,
    signal: AbortSignal,
  ): Promise<DeletedWorkspace> {
    if (!principal.systemAdmin) throw roleTooLow("system-admin", role);
    const { purges } = this.parts;
    const begun = await work.everywhere(tree).write(async (tx) => {
      const row = await anyWorkspaceById(tx, id);
      if (row === undefined) return undefined;
      return row.purge_id ?? (await this.#begin(tx, row, principal.oid));
    });
    const purgeId = begun ?? (await purges.find(id));
    if (purgeId === undefined) throw workspaceNotFound();
    return { tenantId: id, ...(await purges.receipt(purgeId, signal)) };
  }

  /** Removes a direct child without children for good. */
  async purgeChild(
    work: Work,
    parentId: string,
    childId: string,
    signal: AbortSignal,
  ): Promise<PurgedWorkspace> {
    const { purges } = this.parts;
    const begun = await work.everywhere(tree).write(async (tx) => {
      const row = await anyWorkspaceById(tx, childId);
      if (row?.parent_id !== parentId) return undefined;
      if (row.purge_id !== null) return row.purge_id;
      await lockWorkspace(tx, childId);
      const { living, deleted } = await countChildren(tx, childId);
      if (living + deleted > 0) {
        const waiting = deleted > 0 ? ` (${deleted} deleted, and not purged yet)` : "";
        throw new Refusal("conflict", {
          detail: `Cannot purge this workspace: it has ${counted(living + deleted, "workspace")} below it${waiting}`,
        });
      }
      return this.#begin(tx, row, work.scope.caller);
    });
    const purgeId = begun ?? (await purges.find(childId, parentId));
    if (purgeId === undefined) throw new Refusal("not-found");
    return { childId, parentId, ...(await purges.receipt(purgeId, signal)) };
  }

  /** Begins the purge of every workspace whose deadline has passed. */
  async purgeOverdue(): Promise<void> {
    const { platformWork, purges, now } = this.parts;
    const work = platformWork("workspaces whose deadline has passed");
    for (;;) {
      const overdue = await overdueWorkspaces(work.read, now().toISOString(), overdueAtOnce);
      for (const { id } of overdue) {
        await work.write(async (tx) => {
          const row = await restorableById(tx, id);
          const isOverdue = row !== undefined && (row.purge_at ?? "~") <= now().toISOString();
          if (isOverdue) await this.#begin(tx, row, row.deleted_by ?? row.created_by);
        });
      }
      if (overdue.length === 0) return;
      purges.wake();
      // A parent is overdue once its children are gone.
      await purges.idle();
    }
  }

  #begin(tx: Transaction, row: WorkspaceRecord, requestedBy: string): Promise<string> {
    const { id: rootId, parent_id: parentId } = row;
    return this.parts.purges.begin(tx, { rootId, parentId, requestedBy });
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
