import * as z from "zod";
import { rule } from "../plain/rule.ts";
import { json, replies, route, outside } from "../route.ts";
import { uuid } from "../values.ts";

const name = z.string().min(1).max(200);

export const capability = z
  .looseObject({
    capability: z.string(),
    method: z.string(),
    path: z.string(),
    summary: z.string().optional(),
    /** `public`, `signed-in`, `system-admin` or the lowest base role. */
    requiredRole: z.string(),
    /** True if it acts in one workspace, so that the role there decides. */
    workspace: z.boolean().optional(),
    /** Refused to keys of service accounts and tokens of apps; false without it. */
    peopleOnly: z.boolean().optional(),
    /** Outside workspaces, yet allowed to tokens of apps; false without it. */
    appsToo: z.boolean().optional(),
    /** The installation's administrator needs no membership; false without it. */
    systemAdminToo: z.boolean().optional(),
  })
  .meta({ id: "Capability" });
/** One route of this interface, and the role that it needs. */
export type CapabilityEntry = z.output<typeof capability>;

const decision = {
  allowed: z.boolean(),
  reason: z.string(),
  requiredRole: z.string().nullable().optional(),
  currentRole: z.string().nullable().optional(),
};
const capabilityDecision = z
  .looseObject({ capability: z.string().optional(), ...decision })
  .meta({ id: "CapabilityDecision" });
/** True if the caller may do something, why, and which role would do. */
export type CapabilityDecision = z.output<typeof capabilityDecision>;

export const capabilityRoutes = {
  catalog: route.get("/v4/platform/capabilities/catalog", {
    summary: "Every capability with the role that it needs",
    ...outside("signed-in", "spec 4.4"),
    appsToo: true,
    reply: replies(
      z.looseObject({ items: z.array(capability), roles: z.array(z.string()).optional() }),
    ),
  }),
  /**
   * `capabilities` asks for several at once: `allowed` is then true when all of them are, and
   * `decisions` has one for each. 404 for a workspace in which the caller may do none of them
   * because it is not a member. Object Types may require more of single records and properties.
   */
  evaluate: route.post("/v4/platform/capabilities/evaluate", {
    summary: "Whether the caller may do this, why, and which role would do",
    ...outside("signed-in", "spec 4.4, interface.md"),
    appsToo: true,
    body: json(
      z
        .strictObject({
          capability: name.optional(),
          capabilities: z.array(name).min(1).max(500).optional(),
          tenantId: uuid.optional().describe("The workspace; default: that of `X-Tenant-Id`"),
        })
        .refine(
          rule("either", "capability", "capabilities"),
          "needs either capability or capabilities",
        ),
    ),
    reply: replies(
      z.looseObject({ ...decision, decisions: z.array(capabilityDecision).optional() }),
    ),
    asks: true,
  }),
};
