import * as z from "zod";
import { classifierDefinition, configurationKey } from "./classifiers.ts";
import { named } from "../deployments.ts";
import { analyzerDefinition, documentTypeDefinition } from "./document-types.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { json, members, replies, route } from "../route.ts";
import { jsonObject, timestamp } from "../values.ts";

/** A file of `svc content-understanding`: everything that a workspace configures for documents. */
export const understandingManifest = z.strictObject({
  version: z.literal(1),
  classifiers: z.record(configurationKey, classifierDefinition).default({}),
  analyzers: z.record(configurationKey, analyzerDefinition).default({}),
  documentTypes: z.record(configurationKey, documentTypeDefinition).default({}),
});
export type UnderstandingManifest = z.output<typeof understandingManifest>;

/** The parts of a manifest, in the order in which they are applied. */
export const understandingKinds = ["classifiers", "analyzers", "documentTypes"] as const;
export type UnderstandingKind = (typeof understandingKinds)[number];

const action = z.looseObject({
  kind: z.string(),
  key: z.string(),
  /** One of `create`, `update` and `unchanged`. */
  action: z.string(),
  /** The stored version; 0 for a new one. */
  currentVersion: z.int().optional(),
  /** Names of the members that differ. */
  changes: z.array(z.string()).optional(),
});
export type UnderstandingAction = z.output<typeof action>;

const plan = z
  .looseObject({
    /** The hash of the manifest and the stored versions, which `apply` sends as `If-Match`. */
    digest: named(z.string()),
    actions: z.array(action),
  })
  .meta({ id: "UnderstandingPlan" });
/** The changes that a manifest makes to a workspace. */
export type UnderstandingPlan = z.output<typeof plan>;

const operation = z
  .looseObject({
    operationId: named(z.string()),
    digest: z.string().optional(),
    /** `running` while a classifier trains, `succeeded`, or `completed_with_errors`. */
    status: z.string(),
    actions: z.array(action).optional(),
    trainings: z.array(jsonObject).optional(),
    runtimeSync: z.array(jsonObject).optional(),
    createdBy: z.string().optional(),
    createdAt: timestamp.optional(),
  })
  .meta({ id: "UnderstandingOperation" });
/** One application of a plan. */
export type UnderstandingOperation = z.output<typeof operation>;

const capabilities = z
  .looseObject({
    methods: z.array(z.string()),
    modes: z.array(z.string()).optional(),
    fieldTypes: z.array(z.string()).optional(),
    lifecycles: z.array(z.string()).optional(),
    models: jsonObject.optional(),
    limits: z.record(z.string(), z.number()).optional(),
  })
  .meta({ id: "UnderstandingCapabilities" });
export type UnderstandingCapabilities = z.output<typeof capabilities>;

/** An operation id is any name; the client's own is made from the digest of its plan. */
export const operationId = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be letters, digits, dots, dashes and underscores");

const base = "/v4/data/documents/content-understanding";
const source = "spec 4.7; content understanding conventions";

export const understandingRoutes = {
  capabilities: route.get(`${base}/capabilities`, {
    summary: "Methods, types, models and limits of content understanding here",
    ...members("tenant-viewer", "header", source),
    reply: replies(capabilities),
  }),
  plan: route.post(`${base}/plans`, {
    summary: "The changes that a manifest would make; nothing is stored",
    ...members("tenant-viewer", "header", source),
    body: json(understandingManifest),
    reply: replies(plan),
    asks: true,
  }),
  /**
   * `If-Match` has the digest of the plan (412 when it is no longer current), and `Operation-Id`
   * makes the call repeatable: the same id answers with the same operation.
   */
  apply: route.post(`${base}/operations`, {
    summary: "Apply a manifest as planned, all of it or nothing",
    ...members("tenant-builder", "header", source),
    body: json(understandingManifest),
    reply: replies(operation, 202),
    guarded: true,
  }),
  operations: route.get(`${base}/operations`, {
    summary: "List the operations of a workspace, newest first",
    ...members("tenant-viewer", "header", source),
    query: fixedListQuery,
    reply: replies(listBody(operation)),
  }),
  operation: route.get(`${base}/operations/{operationId}`, {
    summary: "An operation with the state of its trainings",
    ...members("tenant-viewer", "header", source),
    params: z.object({ operationId }),
    reply: replies(operation),
  }),
};
