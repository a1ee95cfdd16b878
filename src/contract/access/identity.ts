import * as z from "zod";
import { alsoNamed, named } from "../deployments.ts";
import { maximumMemberships, maximumPage } from "../limits.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { emailNames } from "../plain/fallbacks.ts";
import { json, optionalJson, replies, route, outside } from "../route.ts";
import {
  email,
  role,
  secretText,
  slug,
  storedId,
  timestamp,
  uuid,
  wholeNumber,
} from "../values.ts";

export const identity = z
  .looseObject({
    oid: alsoNamed(z.string(), "id", "userId", "sub"),
    email: alsoNamed(email.optional(), ...emailNames),
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
    /** The IANA time zone of the workspace; absent: UTC. */
    timeZone: z.string().optional(),
    created_at: timestamp.optional(),
    /** The time of the deletion of a deleted workspace. */
    deletedAt: timestamp.optional(),
    restorableUntil: timestamp.optional(),
  })
  .meta({ id: "Membership" });
/** A workspace of the user, with the user's role in it. */
export type Membership = z.output<typeof membership>;

const session = z
  .looseObject({
    sessionId: z.string(),
    /** The program that signed in, e.g. `svc`. */
    clientId: z.string().optional(),
    /** The user agent of the last token request; it is not verified. */
    device: z.string().nullable().optional(),
    signedInAt: timestamp.optional(),
    /** Exact to the life of an access token. */
    lastUsedAt: timestamp.optional(),
    /** The session of this request. */
    current: z.boolean().optional(),
  })
  .meta({ id: "Session" });
/** A sign-in of the current user with its tokens. */
export type Session = z.output<typeof session>;

const passwordChange = z.strictObject({
  currentPassword: secretText.min(1).max(1024),
  newPassword: secretText.min(1).max(1024),
});
export type PasswordChange = z.output<typeof passwordChange>;

/** The secret of an invitation, which only its link or mail carried. */
const invitationSecret = z.strictObject({ secret: secretText.min(1).max(200) });

export const identityRoutes = {
  me: route.get("/v4/identity/me", {
    summary: "The current identity",
    ...outside("signed-in", "spec 4.4"),
    reply: replies(identity),
    appsToo: true,
  }),
  tenants: route.get("/v4/identity/tenants", {
    summary: "The current user's workspace memberships",
    ...outside("signed-in", "spec 4.4"),
    query: z.object({
      deleted: z
        .enum(["true", "false"])
        .optional()
        .describe("`true`: the deleted workspaces that can be restored, instead of the others"),
      page: wholeNumber(1, maximumPage).optional().describe("Page number, from 1"),
      cursor: z
        .string()
        .max(4096)
        .optional()
        .describe("Names the place in a deployment with cursors; others ignore it"),
      limit: wholeNumber(1, maximumMemberships)
        .optional()
        .describe("Workspaces per page, 1 to 1000 (default 1000)"),
    }),
    reply: replies(listBody(membership)),
    appsToo: true,
  }),
  provision: route.post("/v4/identity/me/provision", {
    summary: "Self-provision the current user; with a workspace, confirm the membership in it",
    ...outside("signed-in", "spec 4.4"),
    body: optionalJson(z.strictObject({ tenantId: uuid.optional() })),
    reply: replies(identity.extend({ membership: membership.optional() })),
    peopleOnly: true,
  }),
  updateProfile: route.patch("/v4/identity/me/profile", {
    summary: "Update the current user's profile",
    ...outside("signed-in", "spec 4.4"),
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
    ...outside("signed-in", "interface.md"),
    body: json(invitationSecret),
    reply: replies(membership),
    peopleOnly: true,
  }),
  declineInvitation: route.post("/v4/identity/invitations/decline", {
    summary: "Decline an invitation with its secret",
    ...outside("signed-in", "interface.md"),
    body: json(invitationSecret),
    reply: replies(z.looseObject({ status: z.literal("declined") })),
    peopleOnly: true,
  }),
  revokeTokens: route.post("/v4/identity/me/revoke-tokens", {
    summary: "End all tokens and sessions of the current user, also the one of this request",
    ...outside("signed-in", "interface.md"),
    reply: replies(z.looseObject({ oid: z.string(), revokedGrants: z.int().optional() })),
    peopleOnly: true,
  }),
  sessions: route.get("/v4/identity/me/sessions", {
    summary: "List the current user's sessions, the newest first",
    ...outside("signed-in", "interface.md"),
    query: fixedListQuery,
    reply: replies(listBody(session)),
    peopleOnly: true,
  }),
  endSession: route.delete("/v4/identity/me/sessions/{sessionId}", {
    summary: "End one session with its tokens, at once",
    ...outside("signed-in", "interface.md"),
    params: z.object({ sessionId: storedId }),
    reply: replies(z.looseObject({ sessionId: z.string(), status: z.literal("ended") })),
    peopleOnly: true,
  }),
  /** Wrong passwords count together with those of the sign-in page, per account and address. */
  changePassword: route.post("/v4/identity/me/password", {
    summary: "Change the password, and end all other sessions",
    ...outside("signed-in", "interface.md"),
    body: json(passwordChange),
    reply: replies(z.looseObject({ oid: z.string(), endedSessions: z.int().optional() })),
    peopleOnly: true,
  }),
};
