import * as z from "zod";
import { alsoNamed, named, sentAs } from "../deployments.ts";
import { json, members, optionalJson, replies, route } from "../route.ts";
import { opaqueId, storedId, tenantParams, timestamp, uuid, webAddress } from "../values.ts";

/** The key of an app or a workflow; other deployments may use any text. */
export const storedKey = sentAs(
  z
    .string()
    .max(128)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "must be in kebab-case"),
  opaqueId,
);

/** The statuses of an enrollment on the embedded platform; other deployments may have others. */
const appStatuses = [
  "pending",
  "requested",
  "provisioning",
  "active",
  "suspended",
  "retired",
] as const;

const appCreation = z.strictObject({
  key: storedKey,
  displayName: z.string().trim().min(1).max(200),
  /** A starter template, whose Object Types provisioning brings to the runtime workspace. */
  template: z.string().min(1).max(100).optional(),
  source: z.string().min(1).max(100).optional(),
  appUrl: webAddress.optional(),
  status: sentAs<z.ZodType<string, string>>(z.enum(appStatuses), z.string().min(1).max(50)).default(
    "pending",
  ),
  runtimeTenantId: uuid
    .optional()
    .describe("The child workspace in which the app runs; default: this workspace"),
});
export type AppCreation = z.output<typeof appCreation>;

const app = z
  .looseObject({
    id: z.string().optional(),
    key: alsoNamed(z.string().optional(), "vertical_key", "app_key"),
    displayName: alsoNamed(z.string().optional(), "name"),
    status: z.string().optional(),
    template: z.string().nullable().optional(),
    source: z.string().nullable().optional(),
    appUrl: z.string().nullable().optional(),
    runtimeTenantId: z.string().nullable().optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "App" });
/** An app of a company workspace: its enrollment (spec 2.9). */
export type App = z.output<typeof app>;

/** States of a provisioning job. */
const provisioningStates = ["queued", "running", "ready", "failed"] as const;

/** The steps of a provisioning job, in order. */
export const provisioningSteps = [
  "enrollment",
  "workspace",
  "object-types",
  "storage",
  "binding",
  "activation",
] as const;
export type ProvisioningStep = (typeof provisioningSteps)[number];

const provisioningError = z.looseObject({
  code: z.string().optional(),
  message: alsoNamed(z.string(), "detail"),
});

const provisioningJob = z
  .looseObject({
    jobId: named(alsoNamed(z.string(), "id")),
    key: z.string().optional(),
    targetTenantId: z.string().optional(),
    status: alsoNamed(z.string().optional(), "state").describe(provisioningStates.join(", ")),
    steps: z
      .array(
        z.looseObject({
          name: alsoNamed(z.string(), "step"),
          status: alsoNamed(z.string().optional(), "state"),
          startedAt: timestamp.nullable().optional(),
          finishedAt: timestamp.nullable().optional(),
          error: provisioningError.nullable().optional(),
        }),
      )
      .optional(),
    error: provisioningError.nullable().optional(),
    createdAt: timestamp.optional(),
    updatedAt: timestamp.optional(),
  })
  .meta({ id: "ProvisioningJob" });
/** The provisioning of an app, step by step; an interrupted job goes on by itself. */
export type ProvisioningJob = z.output<typeof provisioningJob>;

const appParams = tenantParams.extend({ key: storedKey });
const targetQuery = z.object({
  targetTenantId: uuid.optional().describe("The runtime workspace of the job"),
});

export const appRoutes = {
  create: route.post("/v4/platform/tenants/{tenantId}/apps", {
    summary: "Enroll an app in a company workspace",
    ...members("tenant-builder", "path", "spec 4.4, 2.9"),
    params: tenantParams,
    body: json(appCreation),
    reply: replies(app, 201),
    idempotent: true,
  }),
  /**
   * 404 without an enrollment. A separate runtime workspace must be a child of this workspace, and
   * only a `tenant-admin` may provision it. An unfinished job of the same app is returned.
   */
  provision: route.post("/v4/platform/tenants/{tenantId}/apps/{key}/provisioning-jobs", {
    summary: "Provision an app in this workspace or in a separate runtime child",
    ...members("tenant-builder", "path", "spec 4.4"),
    params: appParams,
    body: optionalJson(z.strictObject({ targetTenantId: uuid.optional() })),
    reply: replies(provisioningJob, 202),
    idempotent: true,
  }),
  /** An interrupted job goes on; `targetTenantId` must be the one of the job. */
  job: route.get("/v4/platform/tenants/{tenantId}/apps/{key}/provisioning-jobs/{jobId}", {
    summary: "Read or resume a provisioning job",
    ...members("tenant-viewer", "path", "spec 4.4"),
    params: appParams.extend({ jobId: storedId }),
    query: targetQuery,
    reply: replies(provisioningJob),
  }),
};
