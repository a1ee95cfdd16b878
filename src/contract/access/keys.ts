import * as z from "zod";
import { named } from "../deployments.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { members, json, replies, route } from "../route.ts";
import { role, secretText, storedId, tenantParams, timestamp, uuid } from "../values.ts";

const roleChoice = {
  role: role.optional(),
  roleDefinitionId: z.string().min(1).max(100).optional(),
};
const hasOneRole = rule("either", "role", "roleDefinitionId");
const oneRole = "needs either role or roleDefinitionId";

/** Maximum number of workspaces per API key. */
const maximumScope = 50;

const serviceKey = z
  .looseObject({
    keyId: z.string(),
    name: z.string().optional(),
    /** The base role; for a workspace-defined role the highest base role that it includes. */
    role: role.optional(),
    roleDefinitionId: z.string().optional(),
    roleName: z.string().optional(),
    /** The workspace that owns the key: only its admins can revoke it everywhere. */
    homeTenantId: z.string().optional(),
    status: z.enum(["active", "expired", "revoked"]).optional(),
    created_by: z.string().optional(),
    /** True when the maker is no longer a member of the workspace that owns the key. */
    makerRemoved: z.boolean().optional(),
    created_at: timestamp.optional(),
    expiresAt: timestamp.nullable().optional(),
    revokedAt: timestamp.nullable().optional(),
    /** Exact to a minute; null before the first use. */
    lastUsedAt: timestamp.nullable().optional(),
  })
  .meta({ id: "ServiceKey" });
/** An API key of a service account, without its secret. */
export type ServiceKey = z.output<typeof serviceKey>;

const createdKey = z
  .looseObject({
    key: named(serviceKey),
    /** `svc_…`; only in the first answer. */
    token: secretText.optional(),
    /** The workspaces that the key may enter. */
    workspaces: z.array(z.string()).optional(),
    /** Why no token is in this answer. */
    note: z.string().optional(),
  })
  .meta({ id: "CreatedServiceKey" });
/** The answer to the creation of a key. */
export type CreatedKey = z.output<typeof createdKey>;

const keyCreation = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    ...roleChoice,
    /** Other workspaces that the creator administers; the key has its role in each. */
    workspaces: z.array(uuid).max(maximumScope).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
  })
  .refine(hasOneRole, { message: oneRole, path: ["role"] });
export type KeyCreation = z.output<typeof keyCreation>;

export const changedKey = z.looseObject({
  keyId: z.string(),
  name: z.string().optional(),
  /** `removed`: another workspace owns the key, which has no access here from now on. */
  status: z.enum(["revoked", "removed", "lowered", "kept"]),
  /** The role in this workspace after the change; absent for a key that has ended here. */
  role: role.optional(),
  roleName: z.string().optional(),
});
/** The effect of a change of a member on a key that the member made. */
export type ChangedKey = z.output<typeof changedKey>;

const keyReceipt = z.looseObject({
  keyId: z.string(),
  /** `removed`: another workspace owns the key, which has no access here from now on. */
  status: z.enum(["revoked", "removed"]),
});
export type KeyReceipt = z.output<typeof keyReceipt>;

const keyParams = z.object({ tenantId: uuid, keyId: storedId });

/**
 * API keys of service accounts. A key is sent as a bearer token. It may do what its role may do in
 * its workspaces, except sign in, make or change keys, and become a member.
 */
export const keyRoutes = {
  list: route.get("/v4/platform/tenants/{tenantId}/keys", {
    summary: "List the keys of service accounts that have access, the newest first",
    ...members("tenant-admin", "path", "interface.md"),
    params: tenantParams,
    query: fixedListQuery.extend({
      /** The account that made the keys; without it the list has those of all. */
      createdBy: storedId.optional(),
    }),
    reply: replies(listBody(serviceKey)),
  }),
  create: route.post("/v4/platform/tenants/{tenantId}/keys", {
    summary: "Create a key with a role; its token is shown once",
    ...members("tenant-admin", "path", "interface.md"),
    params: tenantParams,
    body: json(keyCreation),
    reply: replies(createdKey, 201),
    idempotent: true,
    peopleOnly: true,
  }),
  setRole: route.patch("/v4/platform/tenants/{tenantId}/keys/{keyId}/roles", {
    summary: "Change the role of a key in this workspace, at once",
    ...members("tenant-admin", "path", "interface.md"),
    params: keyParams,
    body: json(z.strictObject(roleChoice).refine(hasOneRole, { message: oneRole })),
    reply: replies(serviceKey),
    peopleOnly: true,
  }),
  revoke: route.delete("/v4/platform/tenants/{tenantId}/keys/{keyId}", {
    summary: "Revoke a key at once; a key of another workspace loses its access here",
    ...members("tenant-admin", "path", "interface.md"),
    params: keyParams,
    reply: replies(keyReceipt),
    peopleOnly: true,
  }),
};
