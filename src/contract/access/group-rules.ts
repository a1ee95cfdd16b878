import * as z from "zod";
import { changedKey } from "./keys.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, replies, route } from "../route.ts";
import { role, storedId, tenantParams, timestamp, uuid, webAddress } from "../values.ts";

const claimName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.:/-]+$/, "must consist of letters, digits and the characters _ . : / -")
  .refine(
    rule("group claim"),
    "names no group: every user has this claim, or users choose its value",
  );

const groupValue = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\x00-\x1f\x7f-\x9f]*$/, "must not have control characters");

const groupRule = z
  .looseObject({
    ruleId: z.string(),
    /** The OpenID provider whose tokens count. */
    issuer: z.string().optional(),
    claim: z.string().optional(),
    value: z.string().optional(),
    role: role.optional(),
    roleDefinitionId: z.string().optional(),
    roleName: z.string().optional(),
    /** False while another provider, or the platform itself, signs users in. */
    applies: z.boolean().optional(),
    /** The members who have their role by this rule. */
    memberCount: z.int().optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "GroupRule" });
/** The users of an external provider with this claim value have this role in the workspace. */
export type GroupRule = z.output<typeof groupRule>;

const groupRuleChange = z
  .strictObject({
    /** The provider that signs users in here by default. */
    issuer: webAddress.max(2000).meta({ format: "uri" }).optional(),
    /** Claim with the groups; default `groups`. */
    claim: claimName.optional(),
    value: groupValue,
    role: role.optional(),
    roleDefinitionId: z.string().min(1).max(100).optional(),
  })
  .refine(rule("either", "role", "roleDefinitionId"), {
    message: "needs either role or roleDefinitionId",
    path: ["role"],
  });
export type GroupRuleChange = z.output<typeof groupRuleChange>;

const groupRuleSet = groupRule.extend({
  /** False when the group had a rule, whose role has changed. */
  created: z.boolean().optional(),
  /** The keys of members by this rule that lost permissions with the rule's role. */
  keys: z.array(changedKey).optional(),
});
export type GroupRuleSet = z.output<typeof groupRuleSet>;

const groupRuleReceipt = z.looseObject({
  ruleId: z.string(),
  status: z.literal("deleted"),
  /** Memberships that ended with the rule. */
  removedMembers: z.int().optional(),
  /** The keys that these members made, and that have ended too. */
  keys: z.array(changedKey).optional(),
});
export type GroupRuleReceipt = z.output<typeof groupRuleReceipt>;

const path = "/v4/platform/tenants/{tenantId}/group-rules";
const admins = members("tenant-admin", "path", "interface.md");

/**
 * Roles by groups of an external OpenID provider. A sign-in makes its user a member by the rules
 * that its token's claims match, changes that role, or ends that membership. A membership that the
 * user accepted, or whose role an admin has set, is never touched. The keys that a member made end
 * with a membership by a rule. The last tenant-admin stays, and
 * a user who has left or was removed comes back by an invitation only. The highest role
 * of several matching rules counts.
 */
export const groupRuleRoutes = {
  list: route.get(path, {
    summary: "List the roles that groups of an external provider have, the newest first",
    ...admins,
    params: tenantParams,
    query: fixedListQuery,
    reply: replies(listBody(groupRule)),
  }),
  set: route.post(path, {
    summary: "Give a group of an external provider a role, or change that role",
    ...admins,
    params: tenantParams,
    body: json(groupRuleChange),
    reply: replies(groupRuleSet),
    idempotent: true,
    peopleOnly: true,
  }),
  delete: route.delete(`${path}/{ruleId}`, {
    summary: "Delete the rule of a group, with the memberships that it has granted",
    ...admins,
    params: z.object({ tenantId: uuid, ruleId: storedId }),
    reply: replies(groupRuleReceipt),
    peopleOnly: true,
  }),
};
