import * as z from "zod";
import { alsoNamed } from "../deployments.ts";
import { workspaceId, workspaceSlugName } from "../access/identity.ts";
import { member } from "../access/members.ts";
import { members, json, replies, route, outside } from "../route.ts";
import { tenantParams, timestamp, timeZone, uuid, workspaceSlug } from "../values.ts";
import { defaultStarterTemplate, homeRegions, usecases } from "./workspace-values.ts";

const creation = {
  displayName: z.string().trim().min(1).max(200),
  slug: workspaceSlug,
  domain: z
    .string()
    .max(253)
    .regex(/^[^\s,]+$/, "must be one domain")
    .optional(),
  usecase: z.enum(usecases).default("generic"),
  industry: z.string().max(100).optional(),
  starterTemplate: z.string().min(1).max(100).default(defaultStarterTemplate),
};

/** A child workspace inherits the home region of its parent (spec 2.1, 4.7 rule 2). */
const rootCreation = z.strictObject({ ...creation, homeRegion: z.enum(homeRegions) });
const childCreation = z.strictObject(creation);
export type RootCreation = z.output<typeof rootCreation>;
export type ChildCreation = z.output<typeof childCreation>;

export const workspace = z
  .looseObject({
    id: workspaceId,
    slug: workspaceSlugName,
    displayName: alsoNamed(z.string().optional(), "name"),
    parentId: alsoNamed(uuid.nullable().optional(), "parentTenantId", "parentWorkspaceId"),
    domain: z.string().nullable().optional(),
    usecase: z.string().optional(),
    industry: z.string().nullable().optional(),
    starterTemplate: z.string().optional(),
    homeRegion: z.string().optional(),
    /** The IANA time zone in which its days begin, e.g. for due dates; absent: UTC. */
    timeZone: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "Workspace" });
/** A stored workspace; `parentId` is null for a root (spec 2.1). */
export type Workspace = z.output<typeof workspace>;

const workspaceChange = z.strictObject({ timeZone }).meta({ id: "WorkspaceChange" });
export type WorkspaceChange = z.output<typeof workspaceChange>;

const childParams = z.object({ parentId: uuid, childId: uuid });

export const workspaceRoutes = {
  createRoot: route.post("/v4/platform/tenants", {
    summary: "Create a root workspace",
    ...outside("system-admin", "spec 4.4"),
    body: json(rootCreation),
    reply: replies(workspace, 201),
    idempotent: true,
    peopleOnly: true,
  }),
  /** An admin of the parent calls it; the child inherits no role. */
  createChild: route.post("/v4/platform/tenants/{parentId}/children", {
    summary: "Create a child workspace",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: z.object({ parentId: uuid }),
    body: json(childCreation),
    reply: replies(workspace, 201),
    idempotent: true,
  }),
  update: route.patch("/v4/platform/tenants/{tenantId}", {
    summary: "Change the time zone of a workspace",
    ...members("tenant-admin", "path", "interface.md"),
    params: tenantParams,
    body: json(workspaceChange),
    reply: replies(workspace),
  }),
  bootstrapAdmin: route.post("/v4/platform/tenants/{parentId}/children/{childId}/bootstrap-admin", {
    summary: "Make the current user admin of an immediate child that has no admin",
    ...members("tenant-admin", "path", "spec 4.4, 5.5"),
    params: childParams,
    reply: replies(member),
    peopleOnly: true,
  }),
};
