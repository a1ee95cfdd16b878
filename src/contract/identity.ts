import * as z from "zod";
import { alsoNamed, named } from "./deployments.ts";
import { json, optionalJson, replies, route } from "./route.ts";
import { email, role, slug, timestamp, uuid } from "./values.ts";

export const identity = z
  .looseObject({
    oid: alsoNamed(z.string(), "id", "userId", "sub"),
    email: email.optional(),
    displayName: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    systemAdmin: z.boolean().optional(),
    /** True for a key of a service account, whose id is `oid`. */
    serviceAccount: z.boolean().optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "Identity" });
/** The signed-in user; records name their author by `oid` (spec 4.4). */
export type Identity = z.output<typeof identity>;

/** The id of a workspace in an answer. */
export const workspaceId = alsoNamed(named(uuid), "tenantId", "workspaceId", "tenant");
/** The slug of a workspace in an answer. */
export const workspaceSlugName = alsoNamed(named(slug), "tenantSlug", "workspaceSlug");

export const membership = z
  .looseObject({
    id: workspaceId,
    slug: workspaceSlugName,
    displayName: alsoNamed(z.string().optional(), "name", "tenantName", "workspaceName"),
    parentId: alsoNamed(uuid.nullable().optional(), "parentTenantId", "parentWorkspaceId"),
    role: alsoNamed(role.optional(), "roles"),
    homeRegion: z.string().optional(),
    usecase: z.string().optional(),
    domain: z.string().nullable().optional(),
    industry: z.string().nullable().optional(),
    starterTemplate: z.string().optional(),
    created_at: timestamp.optional(),
    /** Only of a deleted workspace. */
    deletedAt: timestamp.optional(),
    restorableUntil: timestamp.optional(),
  })
  .meta({ id: "Membership" });
/** A workspace of the user, with the user's role in it. */
export type Membership = z.output<typeof membership>;

/** The secret of an invitation, which only its link or mail carried. */
const invitationSecret = z.strictObject({ secret: z.string().min(1).max(200) });

export const identityRoutes = {
  me: route.get("/v4/identity/me", {
    summary: "The current identity",
    source: "spec 4.4",
    access: "signed-in",
    workspace: "none",
    reply: replies(identity),
  }),
  tenants: route.get("/v4/identity/tenants", {
    summary: "The current user's workspace memberships",
    source: "spec 4.4",
    access: "signed-in",
    workspace: "none",
    query: z.object({
      deleted: z
        .enum(["true", "false"])
        .optional()
        .describe("`true`: the deleted workspaces that can be restored, instead of the others"),
    }),
    reply: replies(z.looseObject({ items: named(z.array(membership)) })),
  }),
  provision: route.post("/v4/identity/me/provision", {
    summary: "Self-provision the current user; with a workspace, confirm the membership in it",
    source: "spec 4.4",
    access: "signed-in",
    workspace: "none",
    body: optionalJson(z.strictObject({ tenantId: uuid.optional() })),
    reply: replies(identity.extend({ membership: membership.optional() })),
    peopleOnly: true,
  }),
  updateProfile: route.patch("/v4/identity/me/profile", {
    summary: "Update the current user's profile",
    source: "spec 4.4",
    access: "signed-in",
    workspace: "none",
    body: json(
      z.strictObject({
        displayName: z.string().trim().min(1).max(200).optional(),
        firstName: z.string().trim().max(100).optional(),
        lastName: z.string().trim().max(100).optional(),
      }),
    ),
    reply: replies(identity),
    peopleOnly: true,
  }),
  /** The secret alone proves the invitation: an address in an account proves nothing. */
  acceptInvitation: route.post("/v4/identity/invitations/accept", {
    summary: "Accept an invitation with its secret",
    source: "interface.md",
    access: "signed-in",
    workspace: "none",
    body: json(invitationSecret),
    reply: replies(membership),
    peopleOnly: true,
  }),
  declineInvitation: route.post("/v4/identity/invitations/decline", {
    summary: "Decline an invitation with its secret",
    source: "interface.md",
    access: "signed-in",
    workspace: "none",
    body: json(invitationSecret),
    reply: replies(z.looseObject({ status: z.literal("declined") })),
    peopleOnly: true,
  }),
  revokeTokens: route.post("/v4/identity/me/revoke-tokens", {
    summary: "End all tokens and sessions of the current user, also the one of this request",
    source: "interface.md",
    access: "signed-in",
    workspace: "none",
    reply: replies(z.looseObject({ oid: z.string(), revokedGrants: z.int().optional() })),
    peopleOnly: true,
  }),
};
