import * as z from "zod";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { maximumPlannedTypes } from "../limits.ts";
import { members, json, optionalJson, replies, route } from "../route.ts";
import { objectTypeSlug, tenantParams, timestamp, uuid } from "../values.ts";

/** Backends in a request; `mongodb` is the old name of `documentdb` (spec 2.11). */
const namedBackends = ["postgresql", "mongodb", "documentdb", "blob", "search", "all"] as const;
export type NamedBackend = (typeof namedBackends)[number];

/** Names of backends in a response. */
const storageBackends = ["postgresql", "documentdb", "blob", "search"] as const;
export type StorageBackend = (typeof storageBackends)[number];

/** The backends of a request's name, with `mongodb` normalised to `documentdb` (spec 2.11). */
export function backendsOf(named: NamedBackend): readonly StorageBackend[] {
  if (named === "all") return storageBackends;
  return [named === "mongodb" ? "documentdb" : named];
}

/** States of a sync result (spec 2.11). */
export const syncStates = [
  "planned",
  "provisioned",
  "skipped",
  "applied",
  "already_applied",
] as const;

/** The result of one part of a provisioning or a schema sync. */
const syncResult = z
  .looseObject({
    backend: z.string(),
    /** Exact stored slug, if the result is about one Object Type. */
    objectType: z.string().optional(),
    state: alsoNamed(z.string().describe(`One of ${syncStates.join(", ")}`), "status"),
    /** May be missing or empty (spec 2.11). */
    actions: z.array(z.string()).optional(),
    detail: z.string().optional(),
  })
  .meta({ id: "StorageSyncResult" });
export type SyncResult = z.output<typeof syncResult>;

const syncReport = z
  .looseObject({
    tenantId: uuid.optional(),
    dryRun: z.boolean().optional(),
    results: otherwise(z.array(syncResult), "sync results"),
  })
  .meta({ id: "StorageSyncReport" });
export type SyncReport = z.output<typeof syncReport>;

export const storageStatus = z
  .looseObject({
    tenantId: uuid.optional(),
    backends: otherwise(
      z.array(
        z.looseObject({
          backend: z.string(),
          /** E.g. `sqlite`, `postgresql`, `disk`, `s3`. */
          provider: z.string().optional(),
          status: alsoNamed(z.string().describe("ok or down"), "state", "health"),
          provisioned: z.boolean().optional(),
          detail: z.string().optional(),
        }),
      ),
      "storage backends",
    ),
    /** The vectors of documents; absent without an embedding model. */
    embedding: z
      .looseObject({
        model: z.string(),
        /** Numbers of each vector; 0 before the first one. */
        dimensions: z.int().optional(),
        documents: z.int(),
        /** Documents whose passages all have a vector of the model. */
        embedded: z.int(),
        state: z.string().describe("ready, running or waiting"),
        /** The reason why the work waits. */
        error: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: "StorageStatus" });
/** The storage backends of a workspace, and whether each is reachable (spec 2.11). */
export type StorageStatus = z.output<typeof storageStatus>;

const storageFinding = z
  .looseObject({
    code: z.string(),
    backend: z.string().optional(),
    severity: z.string().optional().describe("error or warning"),
    subject: z.string().optional(),
    count: z.int().optional(),
    examples: z.array(z.string()).optional(),
    detail: z.string().optional(),
    mend: z.string().optional(),
  })
  .meta({ id: "StorageFinding" });
/** One kind of storage fault: its count, examples, and the repair (`mend`). */
export type StorageFinding = z.output<typeof storageFinding>;

const storageDiagnosis = z
  .looseObject({
    tenantId: uuid.optional(),
    /** True if there are no findings. */
    ok: otherwise(alsoNamed(z.boolean(), "healthy"), "healthy"),
    /** False when one request could not check everything. */
    complete: z.boolean().optional(),
    findings: alsoNamed(z.array(storageFinding), "issues"),
    checked: z.looseObject({ records: z.int().optional(), files: z.int().optional() }).optional(),
    checkedAt: timestamp.optional(),
  })
  .meta({ id: "StorageDiagnosis" });
/** Faults in the storage of a workspace; `ok` when there are none. */
export type StorageDiagnosis = z.output<typeof storageDiagnosis>;

const backend = z.enum(namedBackends).default("all");
const dryRun = z.boolean().default(false).describe("Only report what would be done");

const storageProvision = z
  .strictObject({
    backend,
    dryRun,
    rebuildSearch: z.boolean().default(false).describe("Rebuild the search index"),
  })
  .meta({ id: "StorageProvision" });
export type StorageProvision = z.output<typeof storageProvision>;

const storageSync = z.strictObject({ backend, dryRun }).meta({ id: "StorageSync" });
export type StorageSync = z.output<typeof storageSync>;

/** A plan is always a dry run, so `apply` and `dryRun` are refused (spec 4.3). */
const indexPlanRequest = z
  .strictObject({ objectTypes: z.array(objectTypeSlug).min(1).max(maximumPlannedTypes) })
  .meta({ id: "IndexPlanRequest" });

const plannedType = z.looseObject({
  objectType: z.string(),
  records: z.int().optional(),
  indexes: z.array(z.looseObject({ property: z.string(), state: z.string().optional() })),
  missing: z.array(
    z.looseObject({
      property: z.string(),
      /**
       * `defined`: the definition requires it; `slow`: filters or sorts by it were slow since the
       * platform's start; `suggested`: filters by it would read every record.
       */
      reason: z.string().optional(),
      action: z.string().optional(),
      /** The number of slow requests, and the slowest, if the state is `slow`. */
      requests: z.int().optional(),
      slowestMs: z.int().optional(),
    }),
  ),
});

/** Existing and missing indexes of Object Types. */
export const indexPlan = z
  .looseObject({
    tenantId: uuid.optional(),
    dryRun: z.boolean().optional(),
    objectTypes: otherwise(named(z.array(plannedType)), "planned types"),
  })
  .meta({ id: "IndexPlan" });
export type IndexPlan = z.output<typeof indexPlan>;

/** Storage, its diagnosis and its indexes (spec 4.3, 2.11). */
export const storageRoutes = {
  status: route.get("/v4/data/resources/{tenantId}/storage", {
    summary: "Storage backends of a workspace, and whether they are reachable",
    ...members("tenant-viewer", "path", "spec 4.3"),
    params: tenantParams,
    reply: replies(storageStatus),
  }),
  doctor: route.get("/v4/data/resources/{tenantId}/storage/doctor", {
    summary: "Faults of a workspace's storage, and the repair of each",
    ...members("tenant-builder", "path", "spec 4.3"),
    params: tenantParams,
    reply: replies(storageDiagnosis),
  }),
  provision: route.post("/v4/data/resources/{tenantId}/storage/provision", {
    summary: "Provision a workspace's storage backends",
    ...members("tenant-builder", "path", "spec 4.3"),
    params: tenantParams,
    body: optionalJson(storageProvision),
    reply: replies(syncReport),
  }),
  syncSchema: route.post("/v4/data/resources/{tenantId}/storage/sync-schema", {
    summary: "Reconcile storage with the workspace's Object Types",
    ...members("tenant-builder", "path", "spec 4.3"),
    params: tenantParams,
    body: optionalJson(storageSync),
    reply: replies(syncReport),
  }),
  indexPlan: route.post("/v4/platform/tenants/{tenantId}/resourceapi/index-plan", {
    summary: "Plan the indexes of Object Types; always a dry run",
    ...members("tenant-builder", "path", "spec 4.3"),
    params: tenantParams,
    body: json(indexPlanRequest),
    asks: true,
    reply: replies(indexPlan),
  }),
};
