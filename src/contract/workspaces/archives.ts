import * as z from "zod";
import { fixedListQuery, listBody } from "../lists.ts";
import { bytes, json, members, replies, repliesBytes, repliesEmpty, route } from "../route.ts";
import { storedId, tenantParams, timestamp } from "../values.ts";
import { archiveGroups } from "./archive-parts.ts";

const part = z.looseObject({
  /** The name of the part, e.g. `records/licence`. */
  name: z.string(),
  /** The number of its lines. */
  count: z.int(),
  bytes: z.int(),
  /** The SHA-256 digest of its lines in their order, each with a line break. */
  sha256: z.string(),
});
export type ArchivePart = z.output<typeof part>;

/** The last entry of an archive: what it has, and the digests that prove it. */
export const archiveManifest = z
  .looseObject({
    format: z.literal("svc-archive"),
    formatVersion: z.literal(1),
    /** The time of the snapshot. */
    createdAt: timestamp,
    svcVersion: z.string(),
    workspace: z.looseObject({ id: z.string(), slug: z.string(), displayName: z.string() }),
    groups: z.array(z.string()),
    parts: z.array(part),
    files: z.looseObject({ count: z.int(), bytes: z.int() }),
    /** Digests of files that the workspace names and that its store did not have. */
    missing: z.array(z.string()),
    /** The end of the audit log, with a signature of the platform that made the archive. */
    audit: z
      .looseObject({
        sequence: z.int(),
        digest: z.string(),
        sha256: z.string(),
        publicKey: z.string(),
        signature: z.string(),
      })
      .optional(),
  })
  .meta({ id: "ArchiveManifest" });
export type ArchiveManifest = z.output<typeof archiveManifest>;

/** The outcome of a job that makes or imports an archive. */
const endOfJob = {
  manifest: archiveManifest.optional(),
  error: z.looseObject({ code: z.string().optional(), message: z.string() }).nullable().optional(),
  created_at: timestamp.optional(),
  /** The file is removed then. */
  expiresAt: timestamp.optional(),
};

const archive = z
  .looseObject({
    id: storedId,
    status: z.string().describe("queued, running, interrupted, succeeded, failed, cancelled"),
    percentCompleted: z.number().optional(),
    groups: z.array(z.string()),
    /** Bytes and digest of the file; absent until it is complete. */
    size: z.int().optional(),
    sha256: z.string().optional(),
    ...endOfJob,
  })
  .meta({ id: "WorkspaceArchive" });
/** An archive that the caller has asked for. */
export type WorkspaceArchive = z.output<typeof archive>;

const creation = z.strictObject({
  groups: z
    .array(z.enum(archiveGroups))
    .min(1)
    .optional()
    .describe("The groups of parts that it has; all by default"),
});
export type ArchiveCreation = z.output<typeof creation>;

const archiveImport = z
  .looseObject({
    id: storedId,
    status: z
      .string()
      .describe(
        "queued, running, interrupted, succeeded, completed_with_errors, failed, cancelled",
      ),
    percentCompleted: z.number().optional(),
    /** Lines by part: stored, left out because the workspace has them, and refused. */
    parts: z
      .array(
        z.looseObject({
          name: z.string(),
          stored: z.int(),
          leftOut: z.int(),
          refused: z.int().optional(),
        }),
      )
      .optional(),
    /** Lines that the workspace cannot have, with their reasons; the first 1,000. */
    refused: z
      .array(z.looseObject({ part: z.string(), id: z.string(), reason: z.string() }))
      .optional(),
    /** Records whose id was taken, and the ids that they have now; the first 1,000. */
    renamed: z.array(z.looseObject({ archived: z.string(), stored: z.string() })).optional(),
    renamedCount: z.int().optional(),
    /** Members of the archive who are not invited: their addresses and roles; the first 1,000. */
    members: z.array(z.looseObject({ email: z.string(), role: z.string() })).optional(),
    ...endOfJob,
  })
  .meta({ id: "ArchiveImport" });
/** An import of an archive into a workspace, which runs as a job. */
export type ArchiveImport = z.output<typeof archiveImport>;

const importPath = "/v4/platform/tenants/{tenantId}/archive-imports";
const importParams = tenantParams.extend({ importId: storedId });
const archiveParams = tenantParams.extend({ archiveId: storedId });
const path = "/v4/platform/tenants/{tenantId}/archives";
const access = members("tenant-admin", "path", "interface.md");

/**
 * Archives of a workspace, an extension of the interface. An archive belongs to the caller who
 * asked for it: for others it does not exist. `docs/archive.md` describes the file.
 */
export const archiveRoutes = {
  list: route.get(path, {
    summary: "List the archives of a workspace that you have asked for",
    ...access,
    params: tenantParams,
    query: fixedListQuery,
    reply: replies(listBody(archive)),
  }),
  create: route.post(path, {
    summary: "Make an archive of a workspace, as a job",
    ...access,
    params: tenantParams,
    body: json(creation),
    reply: replies(archive, 202),
    idempotent: true,
  }),
  get: route.get(`${path}/{archiveId}`, {
    summary: "Get the state of an archive, with its manifest",
    ...access,
    params: archiveParams,
    reply: replies(archive),
  }),
  content: route.get(`${path}/{archiveId}/content`, {
    summary: "The file of an archive",
    ...access,
    params: archiveParams,
    reply: repliesBytes,
  }),
  /** Stops its job first, where that has not ended. */
  remove: route.delete(`${path}/{archiveId}`, {
    summary: "Remove an archive and its file",
    ...access,
    params: archiveParams,
    reply: repliesEmpty,
  }),
  /**
   * All digests are compared before anything is stored. Things that the workspace already has stay
   * as they are: a type of the same slug refuses the import, and other lines with a known id are
   * left out. A line that its type or table does not allow is refused alone.
   */
  import: route.post(importPath, {
    summary: "Import an archive into a workspace, as a job",
    ...access,
    params: tenantParams,
    body: bytes,
    reply: replies(archiveImport, 202),
  }),
  importJob: route.get(`${importPath}/{importId}`, {
    summary: "Get the state of an import, with what it stored and left out",
    ...access,
    params: importParams,
    reply: replies(archiveImport),
  }),
};
