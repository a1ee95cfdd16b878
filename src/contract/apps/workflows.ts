import * as z from "zod";
import { storedKey } from "./apps.ts";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, replies, route } from "../route.ts";
import { timestamp, uuid } from "../values.ts";

/** Values of a workflow's runtime status (spec 2.11). */
const workflowStatuses = [
  "available",
  "operator_required",
  "paid_upgrade_required",
  "rate_limited",
  "blocked",
  "unsupported",
] as const;
export type WorkflowStatus = (typeof workflowStatuses)[number];

const statusText = alsoNamed(z.string().describe(workflowStatuses.join(", ")), "state", "text");

const workflowRuntime = z
  .looseObject({
    workflow_key: z.string().optional(),
    status: statusText,
    /** Why, and the next step. */
    reason: alsoNamed(z.string().optional(), "detail", "message"),
    /** The time of the open request for this workflow. */
    requestedAt: timestamp.optional(),
  })
  .meta({ id: "WorkflowRuntime" });
/** True if a workflow can be used in a workspace, and why (spec 2.11). */
export type WorkflowRuntime = z.output<typeof workflowRuntime>;

const workflowReadiness = z
  .looseObject({
    workflow_key: otherwise(alsoNamed(z.string(), "key"), { value: "" }),
    ready: otherwise(z.boolean(), "ready"),
    status: alsoNamed(z.string().optional(), "state"),
    reason: alsoNamed(z.string().optional(), "detail", "message"),
  })
  .meta({ id: "WorkflowReadiness" });
export type WorkflowReadiness = z.output<typeof workflowReadiness>;

/** A request for a runtime (spec 2.11). */
const runtimeRequest = z
  .strictObject({
    tenant_id: uuid,
    workflow_key: storedKey,
    display_name: z.string().trim().min(1).max(200).optional(),
    reason: z.string().trim().min(1).max(2_000).optional(),
  })
  .meta({ id: "WorkflowRuntimeRequest" });
export type RuntimeRequest = z.output<typeof runtimeRequest>;

const requestedWorkflow = z
  .looseObject({
    requestId: alsoNamed(z.string().optional(), "id"),
    workflow_key: z.string().optional(),
    status: alsoNamed(z.string().optional(), "state"),
    requestedAt: timestamp.optional(),
  })
  .meta({ id: "RequestedWorkflow" });
export type RequestedWorkflow = z.output<typeof requestedWorkflow>;

const maximumKeys = 100;

export const workflowRoutes = {
  status: route.get("/v4/workflows/runtime/{workflowKey}/status", {
    summary: "Whether a workflow can be used in a workspace, and why",
    ...members("tenant-viewer", "tenant_id", "spec 4.5, 2.11"),
    params: z.object({ workflowKey: storedKey }),
    query: z.object({ tenant_id: uuid.describe("The workspace") }),
    reply: replies(workflowRuntime),
  }),
  /** A workflow has one open request; 409 when it is available. */
  request: route.post("/v4/workflows/runtime-requests", {
    summary: "Ask the operators of a workspace for a workflow",
    ...members("tenant-staff", "tenant_id", "spec 4.5, 2.11"),
    body: json(runtimeRequest),
    reply: replies(requestedWorkflow, 201),
    idempotent: true,
  }),
  readiness: route.get("/v4/integrations/builder/readiness", {
    summary: "Which workflows of a workspace are ready, and what the others need",
    ...members("tenant-viewer", "tenant_id", "spec 4.5"),
    query: z.object({
      tenant_id: uuid.describe("The workspace"),
      workflow_keys: z
        .string()
        .max(16_384)
        .refine(rule("keys at most", maximumKeys), `must be at most ${maximumKeys} keys`)
        .optional()
        .describe("Keys, separated by commas; default: the configured workflows"),
    }),
    reply: replies(
      listBody(workflowReadiness).extend({
        items: otherwise(named(z.array(workflowReadiness)), "readiness"),
      }),
    ),
  }),
};
