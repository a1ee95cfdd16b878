import * as z from "zod";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { membership } from "./identity.ts";
import { keyChoices } from "./key-choices.ts";
import { changedKey } from "./keys.ts";
import { fixedListQuery, listBody, listQuery } from "../lists.ts";
import { emailNames } from "../plain/fallbacks.ts";
import { rule } from "../plain/rule.ts";
import { members, json, optionalJson, replies, route, outside } from "../route.ts";
import {
  email,
  givenEmail,
  role,
  secretText,
  slug,
  storedId,
  tenantParams,
  timestamp,
  uuid,
  webAddress,
} from "../values.ts";

const personName = z.string().trim().max(100);

export const member = z
  .looseObject({
    memberId: alsoNamed(z.string(), "id"),
    oid: z.string().optional(),
    email: otherwise(alsoNamed(email.optional(), ...emailNames), "account email"),
    displayName: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    /** The base role; for a workspace-defined role the highest base role that it includes. */
    role: alsoNamed(role.optional(), "roles"),
    roleDefinitionId: z.string().optional(),
    roleName: z.string().optional(),
    /** `invited` only in the answer of an invitation: a list has no pending invitations. */
    status: z.string().optional().describe("active, invited or disabled"),
    accountDisabled: z.boolean().optional(),
    /** The group rule that grants the membership; absent for one that was accepted. */
    ruleId: z.string().optional(),
    /** The keys of the member that lost permissions too; in the answer of a demotion. */
    keys: z.array(changedKey).optional(),
    created_at: timestamp.optional(),
  })
  .meta({ id: "Member" });
/** A member of a workspace with a role; records name their author by `oid` (spec 2.1). */
export type Member = z.output<typeof member>;

/** A role by its name, or a role definition by its id; not both. */
const roleChoice = {
  role: role.optional(),
  roleDefinitionId: z.string().min(1).max(100).optional(),
};
const oneRole = "role and roleDefinitionId exclude each other";
const hasOneRole = rule("not both", "role", "roleDefinitionId");

/** An absolute http(s) address without credentials. */
const redirectUri = webAddress
  .max(2000)
  .refine(rule("no user name"), "must not contain a user name")
  .meta({ format: "uri" });

const invitationRequest = z
  .strictObject({
    email: givenEmail,
    ...roleChoice,
    firstName: personName.optional(),
    lastName: personName.optional(),
    message: z.string().max(2000).optional(),
    redirectUri: redirectUri.optional(),
    /** Allows a role with fewer permissions for a member; without it such a request is 409. */
    force: z.boolean().optional(),
  })
  .refine(hasOneRole, { message: oneRole, path: ["roleDefinitionId"] });
export type InvitationRequest = z.output<typeof invitationRequest>;

export const invitation = z
  .looseObject({
    invitationId: z.string(),
    email: email.optional(),
    role: role.optional(),
    roleDefinitionId: z.string().optional(),
    roleName: z.string().optional(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    status: z.enum(["pending", "accepted", "declined", "revoked", "expired"]).optional(),
    /** `link`: the inviter passes on the link; `mail`: the platform has sent it. */
    delivery: z.enum(["link", "mail", "mail-pending", "mail-failed"]).optional(),
    invitedBy: z.string().optional(),
    created_at: timestamp.optional(),
    expiresAt: timestamp.optional(),
  })
  .meta({ id: "Invitation" });
/** An offer of a role, which counts only once the invited person accepts it. */
export type Invitation = z.output<typeof invitation>;

export const invited = z
  .looseObject({
    /** Other deployments send the member itself. */
    member: otherwise(member, "itself"),
    invitation: invitation.optional(),
    /** The page that accepts the invitation; sent in the first answer if no mail is sent. */
    link: secretText.optional(),
    /** The secret in the link, for `svc user accept`. */
    secret: secretText.optional(),
    /** Why no link is in this answer, or why the mail was not sent. */
    note: z.string().optional(),
  })
  .meta({ id: "Invited" });
/** The answer to an invitation. It never has a password. */
export type Invited = z.output<typeof invited>;

const roleDefinition = z
  .looseObject({
    id: z.string(),
    key: z.string(),
    displayName: z.string().optional(),
    description: z.string().nullable().optional(),
    kind: z.enum(["base", "custom"]).optional(),
    role: role.optional(),
    permissions: z.array(z.string()).optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "RoleDefinition" });
/** An assignable role: a base role, or one that the workspace defines from permissions. */
export type RoleDefinition = z.output<typeof roleDefinition>;

const roleFields = {
  displayName: z.string().trim().min(1).max(200),
  description: z.string().trim().max(1000),
  /** Route names such as `resources.list`, or `resources.*` for a domain. */
  permissions: z.array(z.string().min(1).max(200)).min(1).max(500),
};
const roleCreation = z.strictObject({
  key: slug.max(63),
  displayName: roleFields.displayName,
  description: roleFields.description.optional(),
  permissions: roleFields.permissions,
});
export type RoleCreation = z.output<typeof roleCreation>;
const roleChanges = z.strictObject({
  displayName: roleFields.displayName.optional(),
  description: roleFields.description.optional(),
  permissions: roleFields.permissions.optional(),
});
export type RoleChanges = z.output<typeof roleChanges>;

/** Confirms the end of a membership or of its access. */
const memberReceipt = z.looseObject({
  memberId: z.string(),
  oid: z.string().optional(),
  status: z.enum(["active", "disabled", "removed", "left"]),
  /** The working keys that the member made, once the membership has ended. */
  keys: z.array(changedKey).optional(),
  /** The active webhook endpoints that the member made; in the answer of a removal. */
  webhooks: z
    .array(z.looseObject({ endpointId: z.string(), status: z.enum(["disabled", "kept"]) }))
    .optional(),
});
export type MemberReceipt = z.output<typeof memberReceipt>;
const accountReceipt = z.looseObject({
  oid: z.string(),
  status: z.enum(["active", "disabled"]),
  /** Refresh tokens and sessions that were ended. */
  revokedGrants: z.int().optional(),
  /** Second factors that were removed. */
  removedFactors: z.int().optional(),
  /** Signs in once, to choose a password; in this answer only. */
  oneTimePassword: secretText.optional(),
  /** The end of the one-time password. */
  expiresAt: timestamp.optional(),
});

export type AccountReceipt = z.output<typeof accountReceipt>;

const memberParams = z.object({ tenantId: uuid, memberId: storedId });
const userParams = z.object({ tenantId: uuid, oid: storedId });
const roleParams = z.object({ tenantId: uuid, roleDefinitionId: storedId });

export const memberRoutes = {
  byEmail: route.get("/v4/platform/tenants/{tenantId}/users/by-email", {
    summary: "A member by e-mail address; a user of other workspaces only is not found",
    ...members("tenant-viewer", "path", "spec 4.4"),
    params: tenantParams,
    query: z.object({ email: givenEmail }),
    reply: replies(member),
  }),
  memberships: route.get("/v4/platform/tenants/{tenantId}/users/{oid}/memberships", {
    summary: "Memberships of a user in a workspace and its children",
    ...members("tenant-viewer", "path", "spec 4.4"),
    params: userParams,
    reply: replies(z.looseObject({ items: named(z.array(membership)) })),
  }),
  /** A member is returned as it is; a member of a workspace around this one is invited. */
  provisionUser: route.post("/v4/platform/tenants/{tenantId}/users/{oid}/provision", {
    summary: "Provision a known user: a member is confirmed, another user is invited",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: userParams,
    body: optionalJson(z.strictObject(roleChoice).refine(hasOneRole, { message: oneRole })),
    reply: replies(invited),
    idempotent: true,
  }),
  list: route.get("/v4/platform/tenants/{tenantId}/members", {
    summary: "List members",
    ...members("tenant-viewer", "path", "spec 4.4"),
    params: tenantParams,
    query: listQuery.extend({ search: z.string().max(200).optional() }),
    reply: replies(listBody(member)),
  }),
  /**
   * The address of a member changes the member's role, or nothing without a role in the request.
   * A role with fewer permissions is refused with 409 `confirmation-required` without `force`.
   * Any other address gets an invitation, as `tenant-viewer` by default.
   */
  invite: route.post("/v4/platform/tenants/{tenantId}/members/invite", {
    summary: "Invite a person with a role, or change a member's role",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: tenantParams,
    body: json(invitationRequest),
    reply: replies(invited, 201),
    idempotent: true,
  }),
  invitations: route.get("/v4/platform/tenants/{tenantId}/invitations", {
    summary: "List pending invitations, the newest first",
    ...members("tenant-admin", "path", "interface.md"),
    params: tenantParams,
    query: fixedListQuery,
    reply: replies(listBody(invitation)),
  }),
  revokeInvitation: route.delete("/v4/platform/tenants/{tenantId}/invitations/{invitationId}", {
    summary: "Revoke a pending invitation",
    ...members("tenant-admin", "path", "interface.md"),
    params: z.object({ tenantId: uuid, invitationId: storedId }),
    reply: replies(invitation),
  }),
  setRole: route.patch("/v4/platform/tenants/{tenantId}/members/{memberId}/roles", {
    summary: "Change a member's role; a demotion lowers the keys that the member made",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: memberParams,
    body: json(
      z.strictObject(roleChoice).refine(rule("either", "role", "roleDefinitionId"), {
        message: "needs either role or roleDefinitionId",
      }),
    ),
    reply: replies(member),
  }),
  remove: route.delete("/v4/platform/tenants/{tenantId}/members/{memberId}", {
    summary: "Remove a member, and revoke or keep the keys that the member made",
    ...members("tenant-admin", "path", "interface.md"),
    params: memberParams,
    query: z.object({ keys: z.enum(keyChoices).default("revoke") }),
    reply: replies(memberReceipt),
  }),
  leave: route.post("/v4/platform/tenants/{tenantId}/members/leave", {
    summary: "Leave a workspace, and revoke or keep the keys that you made; the last admin stays",
    source: "interface.md",
    access: "signed-in",
    workspace: "path",
    params: tenantParams,
    query: z.object({ keys: z.enum(keyChoices).default("revoke") }),
    reply: replies(memberReceipt),
    peopleOnly: true,
  }),
  disable: route.post("/v4/platform/tenants/{tenantId}/members/{memberId}/disable", {
    summary: "Take a member's access away, and keep the membership",
    ...members("tenant-admin", "path", "interface.md"),
    params: memberParams,
    reply: replies(memberReceipt),
  }),
  enable: route.post("/v4/platform/tenants/{tenantId}/members/{memberId}/enable", {
    summary: "Give a disabled member access again",
    ...members("tenant-admin", "path", "interface.md"),
    params: memberParams,
    reply: replies(memberReceipt),
  }),
  roleDefinitions: route.get("/v4/platform/tenants/{tenantId}/role-definitions", {
    summary: "Assignable roles: the base roles and those of the workspace",
    ...members("tenant-viewer", "path", "spec 4.4"),
    params: tenantParams,
    reply: replies(listBody(roleDefinition)),
  }),
  createRole: route.post("/v4/platform/tenants/{tenantId}/role-definitions", {
    summary: "Define a role from permissions below tenant-admin",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: tenantParams,
    body: json(roleCreation),
    reply: replies(roleDefinition, 201),
    idempotent: true,
  }),
  updateRole: route.patch("/v4/platform/tenants/{tenantId}/role-definitions/{roleDefinitionId}", {
    summary: "Change a workspace-defined role, for all its members at once",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: roleParams,
    body: json(roleChanges),
    reply: replies(roleDefinition),
  }),
  deleteRole: route.delete("/v4/platform/tenants/{tenantId}/role-definitions/{roleDefinitionId}", {
    summary: "Delete a workspace-defined role that nothing uses",
    ...members("tenant-admin", "path", "spec 4.4"),
    params: roleParams,
    reply: replies(roleDefinition),
  }),
  /** A disabled account has no access in any workspace; its tokens end at once. */
  disableUser: route.post("/v4/platform/users/{oid}/disable", {
    summary: "Disable an account, and end its tokens and sessions",
    ...outside("system-admin", "interface.md"),
    params: z.object({ oid: storedId }),
    reply: replies(accountReceipt),
  }),
  enableUser: route.post("/v4/platform/users/{oid}/enable", {
    summary: "Enable a disabled account; its user signs in again",
    ...outside("system-admin", "interface.md"),
    params: z.object({ oid: storedId }),
    reply: replies(accountReceipt),
  }),
  revokeUserTokens: route.post("/v4/platform/users/{oid}/revoke-tokens", {
    summary: "End all tokens and sessions of an account, also minted tokens",
    ...outside("system-admin", "interface.md"),
    params: z.object({ oid: storedId }),
    reply: replies(accountReceipt),
  }),
  /** Helps a user who has forgotten the password: second factors stay. */
  resetPassword: route.post("/v4/platform/users/{oid}/reset-password", {
    summary: "Replace an account's password with a one-time password for 24 hours",
    ...outside("system-admin", "interface.md"),
    params: z.object({ oid: storedId }),
    reply: replies(accountReceipt),
  }),
  /** Helps a user without phone, passkey and codes: the password alone signs in again. */
  resetFactors: route.post("/v4/platform/users/{oid}/reset-factors", {
    summary: "Remove an account's second factors, and end its tokens and sessions",
    ...outside("system-admin", "interface.md"),
    params: z.object({ oid: storedId }),
    reply: replies(accountReceipt),
  }),
};
