import * as z from "zod";
import { otherwise } from "../deployments.ts";
import { members, optionalJson, replies, route } from "../route.ts";
import { tenantParams, timestamp, uuid } from "../values.ts";

/** `hardPurge`: without a way back, with all workspaces below it; for the system administrator. */
const deletion = z.strictObject({ hardPurge: z.boolean().default(false) });

const removed = z.record(z.string(), z.int());

const deletedWorkspace = z
  .looseObject({
    tenantId: uuid.optional(),
    slug: z.string().optional(),
    status: otherwise(z.enum(["deleted", "hard_purged"]), { value: "deleted" }),
    deletedAt: timestamp.optional(),
    /** Until then `restore` brings the workspace back; then it is purged. */
    restorableUntil: timestamp.optional(),
    /** The numbers of removed things by kind, after a purge. */
    removed: removed.optional(),
    purgeId: uuid.optional(),
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
  })
  .meta({ id: "DeletedWorkspace" });
/** The receipt of a deletion, or of the purge of a workspace with all below it. */
export type DeletedWorkspace = z.output<typeof deletedWorkspace>;

const purgedWorkspace = z
  .looseObject({
    childId: uuid.optional(),
    parentId: uuid.optional(),
    status: z.literal("hard_purged"),
    removed: removed.optional(),
    purgeId: uuid.optional(),
    startedAt: timestamp.optional(),
    finishedAt: timestamp.optional(),
  })
  .meta({ id: "PurgedWorkspace" });
/** The receipt of a child's purge by its parent (spec 4.7 rule 3). */
export type PurgedWorkspace = z.output<typeof purgedWorkspace>;

const restoredWorkspace = z
  .looseObject({
    tenantId: uuid.optional(),
    slug: z.string().optional(),
    status: z.literal("restored"),
  })
  .meta({ id: "RestoredWorkspace" });
export type RestoredWorkspace = z.output<typeof restoredWorkspace>;

export const workspaceRemovalRoutes = {
  /**
   * Deletes a workspace without living children, until it is restored or its deadline passes. A
   * repeated deletion is answered with the first receipt.
   */
  delete: route.post("/v4/platform/tenants/{tenantId}/delete", {
    summary: "Delete a workspace; or purge it with all below it",
    ...members("tenant-admin", "path", "spec 4.4, 4.7 rule 3"),
    params: tenantParams,
    body: optionalJson(deletion),
    reply: replies(deletedWorkspace),
    deletedToo: true,
    systemAdminToo: true,
  }),
  restore: route.post("/v4/platform/tenants/{tenantId}/restore", {
    summary: "Restore a deleted workspace before its deadline",
    ...members("tenant-admin", "path", "spec 3"),
    params: tenantParams,
    reply: replies(restoredWorkspace),
    deletedToo: true,
    systemAdminToo: true,
  }),
  /**
   * 409 for a child that has children. A purge goes on when the caller leaves, also after a
   * crash; the same request then gets its receipt.
   */
  purgeChild: route.post("/v4/platform/tenants/{parentId}/children/{childId}/delete", {
    summary: "Purge an immediate child without children",
    ...members("tenant-admin", "path", "spec 4.4, 4.7 rule 3"),
    params: z.object({ parentId: uuid, childId: uuid }),
    reply: replies(purgedWorkspace),
  }),
};
