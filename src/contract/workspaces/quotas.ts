import * as z from "zod";
import { members, replies, route } from "../route.ts";
import { tenantParams, timestamp } from "../values.ts";

const limits = z.looseObject({
  /** Bytes of the files of records and documents. */
  bytes: z.int().nullable(),
  records: z.int().nullable(),
  documents: z.int().nullable(),
  /** Maximum number of requests per minute. */
  requests: z.int().nullable(),
});

const workspaceQuota = z
  .looseObject({
    /** Null for what has no limit. */
    quota: limits,
    usage: z.looseObject({ bytes: z.int(), records: z.int(), documents: z.int() }),
    /**
     * The load of the platform and the start of its newest good backup, null without one. Only its
     * administrators get them.
     */
    platform: z
      .looseObject({
        requestsPerMinute: z.int().optional(),
        lastBackupAt: timestamp.nullable().optional(),
      })
      .optional(),
  })
  .meta({ id: "WorkspaceQuota" });
/** The limits of a workspace, and its usage. */
export type WorkspaceQuota = z.output<typeof workspaceQuota>;

/** Quotas are an extension of the interface; the platform's operator sets them. */
export const quotaRoutes = {
  read: route.get("/v4/platform/tenants/{tenantId}/quota", {
    summary: "The quota of a workspace, and what it uses",
    ...members("tenant-viewer", "path", "interface.md"),
    params: tenantParams,
    reply: replies(workspaceQuota),
  }),
};
