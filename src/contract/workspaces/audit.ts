import * as z from "zod";
import { auditOutcomes } from "./audit-values.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { members, replies, route, outside } from "../route.ts";
import { jsonObject, tenantParams, timestamp } from "../values.ts";

const sealStates = ["valid", "missing", "altered"] as const;
export type SealState = (typeof sealStates)[number];

const auditEntry = z
  .looseObject({
    /** The entry's number, from 1 without gaps. */
    sequence: z.int(),
    at: timestamp,
    requestId: z.string(),
    /** The caller's `oid`; empty for a caller without a valid token. */
    actor: z.string(),
    /** The caller's e-mail address, or the name of a key. */
    actorName: z.string().nullable().optional(),
    /** The route, e.g. `members.setRole`, or what the platform itself did. */
    action: z.string(),
    outcome: z.enum(auditOutcomes),
    /** The HTTP status of the answer. */
    status: z.int(),
    /** The code of the problem of a refusal. */
    code: z.string().nullable().optional(),
    method: z.string(),
    path: z.string(),
    /** Network address of the caller. */
    address: z.string(),
    /** `target`, `before` and `after`, as far as they are no secret. */
    changes: jsonObject.nullable().optional(),
    /** Covers this entry and, through the digest of the one before it, all earlier entries. */
    digest: z.string(),
    /** The signature of an erasure's entry: `valid` if it is the platform's. */
    seal: z.enum(sealStates).optional(),
  })
  .meta({ id: "AuditEntry" });
/** A change, or a try that was refused. */
export type AuditEntry = z.output<typeof auditEntry>;

const auditHead = z
  .looseObject({
    /** The last entry, and its digest; 0 and "" for an empty log. */
    sequence: z.int(),
    digest: z.string(),
    /** The last entry that the retention has removed, and its digest. */
    removedSequence: z.int(),
    removedDigest: z.string(),
    /** The time of that entry, and the end of the retention by which it was removed. */
    removedAt: timestamp.nullable().optional(),
    removedBefore: timestamp.nullable().optional(),
    /** Days for which entries are kept. */
    keptDays: z.number().optional(),
    /** True if the log fits the end that the platform has signed with its key. */
    seal: z.enum(sealStates).optional(),
    /** The time since which the platform signs its logs. */
    signedSince: timestamp.nullable().optional(),
  })
  .meta({ id: "AuditHead" });
/** The end of an audit log: a copy of it, kept elsewhere, proves that no entry changed since. */
export type AuditHead = z.output<typeof auditHead>;

const auditQuery = fixedListQuery.extend({
  actor: z.string().max(200).optional().describe("Only entries of this caller"),
  action: z
    .string()
    .max(200)
    .regex(/^[\w-]+(?:\.(?:[\w-]+|\*))?$/, "must be a route such as members.setRole, or members.*")
    .optional()
    .describe("Only this route, or with `members.*` those of a domain"),
  outcome: z.enum(auditOutcomes).optional(),
  requestId: z.string().max(128).optional(),
  since: z.iso.datetime({ offset: true }).optional().describe("From this time"),
  until: z.iso.datetime({ offset: true }).optional().describe("Before this time"),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .describe("Order of the sequence; descending by default"),
});
export type AuditQuery = z.output<typeof auditQuery>;

/**
 * The audit log of a workspace, an extension of the interface: each change and each refused try.
 * The log of the platform has what belongs to no workspace: sign-ins, accounts, root workspaces.
 */
export const auditRoutes = {
  list: route.get("/v4/platform/tenants/{tenantId}/audit", {
    summary: "List the changes and refused tries of a workspace",
    ...members("tenant-admin", "path", "interface.md"),
    params: tenantParams,
    query: auditQuery,
    reply: replies(listBody(auditEntry)),
  }),
  head: route.get("/v4/platform/tenants/{tenantId}/audit/head", {
    summary: "The last entry of a workspace's audit log, with its digest",
    ...members("tenant-admin", "path", "interface.md"),
    params: tenantParams,
    reply: replies(auditHead),
  }),
  listPlatform: route.get("/v4/platform/audit", {
    summary: "List the changes and refused tries that belong to no workspace",
    ...outside("system-admin", "interface.md"),
    query: auditQuery,
    reply: replies(listBody(auditEntry)),
  }),
  headPlatform: route.get("/v4/platform/audit/head", {
    summary: "The last entry of the platform's audit log, with its digest",
    ...outside("system-admin", "interface.md"),
    reply: replies(auditHead),
  }),
};
