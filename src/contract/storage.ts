import * as z from "zod";
import { maximumPlannedTypes } from "./limits.ts";
import { json, optionalJson, replies, route } from "./route.ts";
import { objectTypeSlug, tenantParams, timestamp, uuid } from "./values.ts";

/** What a caller may name; `mongodb` is the old name of `documentdb` (spec 2.11). */
const namedBackends = ["postgresql", "mongodb", "documentdb", "blob", "search", "all"] as const;
export type NamedBackend = (typeof namedBackends)[number];

/** What an answer names. */
const storageBackends = ["postgresql", "documentdb", "blob", "search"] as const;
export type StorageBackend = (typeof storageBackends)[number];

/** The backends that a name stands for, `mongodb` normalised to `documentdb` (spec 2.11). */
export function backendsOf(named: NamedBackend): readonly StorageBackend[] {
  if (named === "all") return storageBackends;
  return [named === "mongodb" ? "documentdb" : named];
}

/** Schema sync result states (spec 2.11). */
export const syncStates = [
  "planned",
  "provisioned",
  "skipped",
  "applied",
  "already_applied",
] as const;

/** What one part of a provisioning or a reconciliation came to. */
const syncResult = z
  .looseObject({
    backend: z.string(),
    /** Where the result is about one Object Type: its exact stored slug. */
    objectType: z.string().optional(),
    state: z.string().describe(`One of ${syncStates.join(", ")}`),
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
    results: z.array(syncResult),
  })
  .meta({ id: "StorageSyncReport" });
export type SyncReport = z.output<typeof syncReport>;

/** Where a workspace's data are kept, as it truly is. */
export const storageStatus = z
  .looseObject({
    tenantId: uuid.optional(),
    backends: z.array(
      z.looseObject({
        backend: z.string(),
        /** What serves it, e.g. `sqlite`, `postgresql`, `disk`, `s3`. */
        provider: z.string().optional(),
        status: z.string().describe("ok or down"),
        provisioned: z.boolean().optional(),
        detail: z.string().optional(),
      }),
    ),
  })
  .meta({ id: "StorageStatus" });
/** Where the data of a workspace are kept, backend by backend, and whether each answers (spec 2.11). */
export type StorageStatus = z.output<typeof storageStatus>;

/** A fault of the storage, with what mends it. */
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
/** One kind of fault: how often it was found, where, and what mends it. */
export type StorageFinding = z.output<typeof storageFinding>;

const storageDiagnosis = z
  .looseObject({
    tenantId: uuid.optional(),
    /** Whether nothing was found. */
    ok: z.boolean(),
    /** False where there was more to look at than one request may take. */
    complete: z.boolean().optional(),
    findings: z.array(storageFinding),
    checked: z.looseObject({ records: z.int().optional(), files: z.int().optional() }).optional(),
    checkedAt: timestamp.optional(),
  })
  .meta({ id: "StorageDiagnosis" });
/** What is wrong in the storage of a workspace; `ok` where nothing is. */
export type StorageDiagnosis = z.output<typeof storageDiagnosis>;

const backend = z.enum(namedBackends).default("all");
const dryRun = z.boolean().default(false).describe("Only say what would be done");

const storageProvision = z
  .strictObject({
    backend,
    dryRun,
    rebuildSearch: z.boolean().default(false).describe("Makes the search index again"),
  })
  .meta({ id: "StorageProvision" });
export type StorageProvision = z.output<typeof storageProvision>;

const storageSync = z.strictObject({ backend, dryRun }).meta({ id: "StorageSync" });
export type StorageSync = z.output<typeof storageSync>;

/** A plan is always a dry run, so neither `apply` nor `dryRun` is taken (spec 4.3). */
const indexPlanRequest = z
  .strictObject({ objectTypes: z.array(objectTypeSlug).min(1).max(maximumPlannedTypes) })
  .meta({ id: "IndexPlanRequest" });

/** Indexes of Object Types: which are there, and which are missing. */
export const indexPlan = z
  .looseObject({
    tenantId: uuid.optional(),
    dryRun: z.boolean().optional(),
    objectTypes: z.array(
      z.looseObject({
        objectType: z.string(),
        records: z.int().optional(),
        indexes: z.array(z.looseObject({ property: z.string(), state: z.string().optional() })),
        missing: z.array(
          z.looseObject({
            property: z.string(),
            /**
             * `defined`: the definition asks for it; `slow`: requests that filtered or sorted by it
             * were slow, since the platform's process began; `suggested`: its like is often
             * filtered by, and filters would read every record.
             */
            reason: z.string().optional(),
            action: z.string().optional(),
            /** How many requests were slow, and the slowest; where that is the reason. */
            requests: z.int().optional(),
            slowestMs: z.int().optional(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: "IndexPlan" });
export type IndexPlan = z.output<typeof indexPlan>;

/** Storage, its diagnosis and its indexes (spec 4.3, 2.11). */
export const storageRoutes = {
  status: route({
    method: "GET",
    path: "/v4/data/resources/{tenantId}/storage",
    summary: "Where a workspace's data are kept, and whether that answers",
    source: "spec 4.3",
    access: "tenant-viewer",
    workspace: "path",
    params: tenantParams,
    reply: replies(storageStatus),
  }),
  /** Reads records and files, so it is for those who can act on what it finds. */
  doctor: route({
    method: "GET",
    path: "/v4/data/resources/{tenantId}/storage/doctor",
    summary: "Faults of a workspace's storage, and what mends each",
    source: "spec 4.3",
    access: "tenant-builder",
    workspace: "path",
    params: tenantParams,
    reply: replies(storageDiagnosis),
  }),
  provision: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/storage/provision",
    summary: "Provision a workspace's storage backends",
    source: "spec 4.3",
    access: "tenant-builder",
    workspace: "path",
    params: tenantParams,
    body: optionalJson(storageProvision),
    reply: replies(syncReport),
  }),
  syncSchema: route({
    method: "POST",
    path: "/v4/data/resources/{tenantId}/storage/sync-schema",
    summary: "Reconcile storage with the workspace's Object Types",
    source: "spec 4.3",
    access: "tenant-builder",
    workspace: "path",
    params: tenantParams,
    body: optionalJson(storageSync),
    reply: replies(syncReport),
  }),
  indexPlan: route({
    method: "POST",
    path: "/v4/platform/tenants/{tenantId}/resourceapi/index-plan",
    summary: "Plan the indexes of Object Types; always a dry run",
    source: "spec 4.3",
    access: "tenant-builder",
    workspace: "path",
    params: tenantParams,
    body: json(indexPlanRequest),
    asks: true,
    reply: replies(indexPlan),
  }),
};
