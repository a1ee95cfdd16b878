import * as z from "zod";
import { alsoNamed, named } from "./deployments.ts";
import { membership, workspaceId, workspaceSlugName } from "./identity.ts";
import { listBody, listQuery } from "./lists.ts";
import { members, json, replies, route } from "./route.ts";
import { email, role, storedId, tenantParams, timestamp, uuid, workspaceSlug } from "./values.ts";
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
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "Workspace" });
/** A stored workspace; `parentId` is null for a root (spec 2.1). */
export type Workspace = z.output<typeof workspace>;

export const member = z
  .looseObject({
    memberId: alsoNamed(z.string(), "id"),
    oid: z.string().optional(),
    email: email.optional(),
    displayName: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    role: role.optional(),
    status: z.enum(["active", "invited"]).optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "Member" });
/** A member of a workspace with a role; records name their author by `oid` (spec 2.1). */
export type Member = z.output<typeof member>;

export const invitation = z.strictObject({
  email,
  role: role.default("tenant-viewer"),
  firstName: z.string().trim().max(100).optional(),
  lastName: z.string().trim().max(100).optional(),
  message: z.string().max(2000).optional(),
  redirectUri: z.url().optional(),
});

/** The embedded platform sends no mail: only this response has a new user's one-time password. */
export const invited = z
  .looseObject({ member, oneTimePassword: z.string().optional() })
  .meta({ id: "Invited" });

const childParams = z.object({ parentId: uuid, childId: uuid });

export const workspaceRoutes = {
  createRoot: route.post("/v4/platform/tenants", {
    summary: "Create a root workspace",
    source: "spec 4.4",
    access: "system-admin",
    workspace: "none",
    body: json(rootCreation),
    reply: replies(workspace, 201),
    idempotent: true,
  }),
  /** An admin of the parent calls it; the child inherits no role. */
  createChild: route.post("/v4/platform/tenants/{parentId}/children", {
    summary: "Create a child workspace",
    source: "spec 4.4",
    ...members("tenant-admin", "path"),
    params: z.object({ parentId: uuid }),
    body: json(childCreation),
    reply: replies(workspace, 201),
    idempotent: true,
  }),
  bootstrapAdmin: route.post("/v4/platform/tenants/{parentId}/children/{childId}/bootstrap-admin", {
    summary: "Make the current user admin of an immediate child that has no admin",
    source: "spec 4.4, 5.5",
    access: "signed-in",
    workspace: "none",
    params: childParams,
    reply: replies(member),
  }),
  memberships: route.get("/v4/platform/tenants/{tenantId}/users/{oid}/memberships", {
    summary: "Memberships of a user in a workspace and its children",
    source: "spec 4.4",
    ...members("tenant-viewer", "path"),
    params: z.object({ tenantId: uuid, oid: storedId }),
    reply: replies(z.looseObject({ items: named(z.array(membership)) })),
  }),
  members: route.get("/v4/platform/tenants/{tenantId}/members", {
    summary: "List members",
    source: "spec 4.4",
    ...members("tenant-viewer", "path"),
    params: tenantParams,
    query: listQuery.extend({ search: z.string().max(200).optional() }),
    reply: replies(listBody(member)),
  }),
  invite: route.post("/v4/platform/tenants/{tenantId}/members/invite", {
    summary: "Invite or provision a member with a role",
    source: "spec 4.4",
    ...members("tenant-admin", "path"),
    params: tenantParams,
    body: json(invitation),
    reply: replies(invited, 201),
    idempotent: true,
  }),
};
