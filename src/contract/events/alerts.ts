import * as z from "zod";
import { fixedListQuery, listBody } from "../lists.ts";
import { json, members, replies, route } from "../route.ts";
import { jsonObject, slug, storedId, timestamp } from "../values.ts";
import { alertKinds, alertStates, watchedKinds } from "./alert-values.ts";

const maximumTypes = 50;

const alert = z
  .looseObject({
    id: z.string(),
    ruleId: z.string().optional(),
    /** The name that the rule had. */
    ruleName: z.string().optional(),
    kind: z.string().optional().describe("event, deadline, job, endpoint, quota or feed"),
    /** One sentence, which names no value of a record but a deadline. */
    message: z.string().optional(),
    /** The id of the record or of another thing that it is about. */
    subject: z.string().nullable().optional(),
    /** The slug of the record's type. */
    objectType: z.string().nullable().optional(),
    /** The facts of the cause, by the kind of the alert. */
    about: jsonObject.optional(),
    role: z.string().nullable().optional(),
    userId: z.string().nullable().optional(),
    status: z.string().optional().describe("open or acknowledged"),
    raisedAt: timestamp.optional(),
    acknowledgedAt: timestamp.nullable().optional(),
    acknowledgedBy: z.string().nullable().optional(),
  })
  .meta({ id: "Alert" });
/** One cause of one rule, for its recipients. */
export type Alert = z.output<typeof alert>;

const alertRule = z
  .looseObject({
    id: z.string(),
    name: z.string().optional(),
    kind: z.string().optional().describe("event, deadline, job, endpoint, quota or feed"),
    kinds: z.array(z.string()).optional(),
    types: z.array(z.string()).optional(),
    operations: z.array(z.string()).optional(),
    where: jsonObject.optional(),
    property: z.string().optional(),
    days: z.int().optional(),
    percent: z.int().optional(),
    role: z.string().nullable().optional(),
    userId: z.string().nullable().optional(),
    enabled: z.boolean().optional(),
    /** Why it is disabled: `request`, `imported`, or `filter` if its type or property is gone. */
    disabledReason: z.string().nullable().optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "AlertRule" });
/** A rule that raises alerts. */
export type AlertRule = z.output<typeof alertRule>;

const settings = {
  /** Kinds of changes, for the kind `event`; all by default. */
  kinds: z.array(z.enum(watchedKinds)).min(1).max(watchedKinds.length).optional(),
  /** Slugs of Object Types: records and their files only. A deadline has exactly one. */
  types: z.array(z.string().min(1).max(255)).min(1).max(maximumTypes).optional(),
  /** Operations of changes such as `created` or `deleted`; all by default. */
  operations: z
    .array(z.string().regex(/^[a-z]{1,30}$/, "must be a word such as created"))
    .min(1)
    .max(20)
    .optional(),
  /**
   * A filter on indexed properties, with the meaning of a list's `where`. A record raises one alert
   * each time that it comes to match; a filter on `id` alone watches each change of the record.
   */
  where: jsonObject.optional(),
  /** The date of a deadline; by default the property with the meaning `due`. */
  property: z.string().min(1).max(255).optional(),
  /** A deadline raises its alert this many days before, in the workspace's time zone. */
  days: z.int().min(0).max(365).optional(),
  /** The part of a quota that raises an alert; 80 by default. */
  percent: z.int().min(1).max(100).optional(),
};
export type RuleSettings = {
  [Name in keyof typeof settings]?: z.output<(typeof settings)[Name]>;
};

const recipient = {
  /** A base role, or the key of a role of the workspace: its members and those of higher roles. */
  role: slug.max(63).optional(),
  /** One member; without both it is the caller. */
  userId: storedId.optional(),
};

const name = z.string().trim().min(1).max(200);

const creation = z.strictObject({
  name,
  kind: z.enum(alertKinds),
  ...settings,
  ...recipient,
});
/** A rule that an archive has; its recipient is a role or a member of the workspace. */
export const archivedRule = creation.extend({ id: z.uuid() });
export type ArchivedRule = z.output<typeof archivedRule>;
export type RuleCreation = z.output<typeof creation>;

const changes = z.strictObject({
  name: name.optional(),
  /** Null removes a setting (RFC 7396); another value replaces it. */
  kinds: settings.kinds.nullable(),
  types: settings.types.nullable(),
  operations: settings.operations.nullable(),
  where: settings.where.nullable(),
  property: settings.property.nullable(),
  days: settings.days.nullable(),
  percent: settings.percent.nullable(),
  /** Null for both, and null without the other, make the caller the recipient. */
  role: recipient.role.nullable(),
  userId: recipient.userId.nullable(),
  /** False raises no alerts; what happens meanwhile is not made up for. */
  enabled: z.boolean().optional(),
});
export type RuleChanges = z.output<typeof changes>;

const maximumMutedRules = 500;

const channels = z
  .looseObject({
    /** The role whose choice it is; absent for that of the caller. */
    role: z.string().optional(),
    /** True if alerts are mailed, at most one mail an hour for each person. */
    mail: z.boolean().optional(),
    /** Alerts that are raised before this time are never mailed. */
    mutedUntil: timestamp.nullable().optional(),
    /** Ids of the rules whose alerts are never mailed. */
    mutedRules: z.array(z.string()).optional(),
    /** The address of the caller; null for a service account. */
    address: z.string().nullable().optional(),
    /** False on a platform without a mail server. */
    sendsMail: z.boolean().optional(),
    lastMailAt: timestamp.nullable().optional(),
  })
  .meta({ id: "AlertChannels" });
/** How the alerts of a workspace reach a person, or the members with a role. */
export type AlertChannels = z.output<typeof channels>;

const channelChanges = z.strictObject({
  /** Changes the choice for alerts to this role, not the caller's own one. */
  role: recipient.role,
  mail: z.boolean().optional(),
  /** Null ends the time at once. */
  mutedUntil: z.iso.datetime({ offset: true }).nullable().optional(),
  /** The rules that replace those of before. */
  mutedRules: z.array(storedId).max(maximumMutedRules).optional(),
});
export type ChannelChanges = z.output<typeof channelChanges>;

const receipt = z.looseObject({ id: z.string(), status: z.literal("deleted") });
export type RuleReceipt = z.output<typeof receipt>;

const alertsPath = "/v4/realtime/alerts";
const rulesPath = "/v4/realtime/alert-rules";
const channelsPath = "/v4/realtime/alert-channels";
const everyone = members("tenant-viewer", "header", "interface.md");
const alertParams = z.object({ alertId: storedId });
const ruleParams = z.object({ alertRuleId: storedId });

/**
 * Alerts of a workspace. A rule raises one alert for each cause, for a role or a person. An alert
 * exists only for recipients who may read what it is about. Every member makes rules for
 * themselves; those for others need the role tenant-builder.
 */
export const alertRoutes = {
  list: route.get(alertsPath, {
    summary: "List the alerts for the caller, the newest first",
    ...everyone,
    query: fixedListQuery.extend({ status: z.enum(alertStates).optional() }),
    reply: replies(listBody(alert)),
  }),
  get: route.get(`${alertsPath}/{alertId}`, {
    summary: "Get an alert",
    ...everyone,
    params: alertParams,
    reply: replies(alert),
  }),
  /** The first acknowledgement counts; a repeated one returns it. */
  acknowledge: route.post(`${alertsPath}/{alertId}/acknowledge`, {
    summary: "Acknowledge an alert for all of its recipients",
    ...everyone,
    params: alertParams,
    reply: replies(alert),
    idempotent: true,
  }),
  listRules: route.get(rulesPath, {
    summary: "List alert rules, the newest first: the caller's, or all for tenant-builders",
    ...everyone,
    query: fixedListQuery,
    reply: replies(listBody(alertRule)),
  }),
  createRule: route.post(rulesPath, {
    summary: "Create an alert rule",
    ...everyone,
    body: json(creation),
    reply: replies(alertRule, 201),
    idempotent: true,
  }),
  getRule: route.get(`${rulesPath}/{alertRuleId}`, {
    summary: "Get an alert rule",
    ...everyone,
    params: ruleParams,
    reply: replies(alertRule),
  }),
  updateRule: route.patch(`${rulesPath}/{alertRuleId}`, {
    summary: "Change an alert rule",
    ...everyone,
    params: ruleParams,
    body: json(changes),
    reply: replies(alertRule),
  }),
  removeRule: route.delete(`${rulesPath}/{alertRuleId}`, {
    summary: "Delete an alert rule; its alerts stay",
    ...everyone,
    params: ruleParams,
    reply: replies(receipt),
  }),
  getChannels: route.get(channelsPath, {
    summary: "Show how alerts reach the caller, or the members with a role",
    ...everyone,
    query: z.object({ role: recipient.role }),
    reply: replies(channels),
  }),
  /** The choice for a role needs tenant-builder; a person's own one also counts for its alerts. */
  updateChannels: route.patch(channelsPath, {
    summary: "Choose how alerts reach the caller, or the members with a role",
    ...everyone,
    body: json(channelChanges),
    reply: replies(channels),
  }),
};
