import * as z from "zod";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, optionalJson, replies, route } from "../route.ts";
import { jsonObject, role, secretText, storedId, timestamp } from "../values.ts";
import {
  attemptFailures,
  changeKinds,
  deliveryStates,
  maximumGraceDays,
} from "./webhook-values.ts";

const maximumTypes = 50;
const maximumRules = 50;
/** Deliveries that one pull takes. */
const maximumPulled = 20;

/** The events of an endpoint; all kinds and types by default. */
const filter = {
  kinds: z.array(z.enum(changeKinds)).min(1).max(changeKinds.length).optional(),
  /** Slugs of Object Types: records and their files only. */
  types: z.array(z.string().min(1).max(255)).min(1).max(maximumTypes).optional(),
  /** A filter on indexed properties of records, with the meaning of a list's `where`. */
  where: jsonObject.optional(),
  /** Ids of alert rules for a role: only the alerts of these rules are sent, and nothing else. */
  rules: z.array(storedId).min(1).max(maximumRules).optional(),
};

const settings = {
  /** `http` or `https`; an address that is not public must be named by `--webhook-host`. */
  url: z.string().max(2000),
  description: z.string().trim().max(200),
  ...filter,
  /** `thin` names what changed; `full` also has the record in that version. */
  body: z.enum(["thin", "full"]),
  /** The role by whose rights events and records are read; at most the maker's. */
  role,
  /** True sends the events of one record one after the other, also while one is retried. */
  ordered: z.boolean(),
};

const { url: _address, ...kept } = settings;
/** The settings of an endpoint that an archive has. */
export const archivedEndpoint = z.strictObject(kept);
export type ArchivedEndpoint = z.output<typeof archivedEndpoint>;

const webhookEndpoint = z
  .looseObject({
    id: z.string(),
    /** Null for a temporary endpoint, whose deliveries are pulled. */
    url: z.string().nullable(),
    description: z.string().optional(),
    kinds: z.array(z.string()).nullable().optional(),
    types: z.array(z.string()).nullable().optional(),
    where: jsonObject.nullable().optional(),
    rules: z.array(z.string()).nullable().optional(),
    body: z.string().optional().describe("thin or full"),
    role: role.optional(),
    ordered: z.boolean().optional(),
    status: z.string().optional().describe("active or disabled"),
    /**
     * Why it is disabled: `gone` (the endpoint answered 410), `request`, `maker-removed`, or
     * `imported` until it has an address and another secret.
     */
    disabledReason: z.string().nullable().optional(),
    /** Failed attempts since the last successful one. */
    consecutiveFailures: z.int().optional(),
    lastDeliveredAt: timestamp.nullable().optional(),
    lastFailedAt: timestamp.nullable().optional(),
    /** The public key of the `v1a` signatures, `whpk_…`. */
    publicKey: z.string().optional(),
    /** The end of the former secret and key after a rotation. */
    rotatesUntil: timestamp.nullable().optional(),
    /** The end of a temporary endpoint unless its deliveries are pulled. */
    expiresAt: timestamp.nullable().optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "WebhookEndpoint" });
/** An endpoint that receives events, without its secret. */
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

const secretEndpoint = webhookEndpoint
  .extend({
    /** The secret of the `v1` signatures, `whsec_…`; only in the first answer. */
    secret: secretText.optional(),
    /** Why no secret is in this answer. */
    note: z.string().optional(),
  })
  .meta({ id: "WebhookEndpointSecret" });
export type WebhookEndpointSecret = z.output<typeof secretEndpoint>;

const creation = z
  .strictObject({
    ...settings,
    url: settings.url.optional(),
    description: settings.description.default(""),
    body: settings.body.default("thin"),
    role: settings.role.default("tenant-viewer"),
    ordered: settings.ordered.default(false),
    /** True for an endpoint without a URL, whose deliveries are pulled; it ends 5 min after. */
    temporary: z.boolean().default(false),
  })
  .refine(rule("address unless temporary"), {
    path: ["url"],
    message: "is required unless the endpoint is temporary, which has none",
  });
export type EndpointCreation = z.output<typeof creation>;

const changes = z.strictObject({
  url: settings.url.optional(),
  description: settings.description.optional(),
  /** Null removes the limit to some kinds. */
  kinds: filter.kinds.unwrap().nullable().optional(),
  types: filter.types.unwrap().nullable().optional(),
  where: jsonObject.nullable().optional(),
  rules: filter.rules.unwrap().nullable().optional(),
  body: settings.body.optional(),
  role: settings.role.optional(),
  ordered: settings.ordered.optional(),
  /** False stops the deliveries; the endpoint keeps its position. */
  enabled: z.boolean().optional(),
});
export type EndpointChanges = z.output<typeof changes>;

const delivery = z
  .looseObject({
    id: z.string(),
    endpointId: z.string().optional(),
    /** The `webhook-id` of its requests; a replay has the same one. */
    eventId: z.string().optional(),
    /** The type of the event, e.g. `svc.resource.updated`. */
    type: z.string().optional(),
    subject: z.string().nullable().optional(),
    status: z.string().optional().describe("pending, delivered or failed"),
    origin: z.string().optional().describe("event, replay, test or reset"),
    attempts: z.int().optional(),
    /** The next attempt; null once it has ended. */
    nextAttemptAt: timestamp.nullable().optional(),
    /** The HTTP status of the last answer; null without one. */
    responseStatus: z.int().nullable().optional(),
    /** The first 2 KiB of the last answer. */
    responseBody: z.string().nullable().optional(),
    error: z.string().nullable().optional(),
    durationMs: z.int().nullable().optional(),
    created_at: timestamp.optional(),
    lastAttemptAt: timestamp.nullable().optional(),
    /** When the log forgets it; null while it is pending. */
    expiresAt: timestamp.nullable().optional(),
  })
  .meta({ id: "WebhookDelivery" });
/** An event on its way to an endpoint, with its last attempt. */
export type WebhookDelivery = z.output<typeof delivery>;

const attempt = z.looseObject({
  /** The end of the attempt. */
  at: timestamp,
  /** The HTTP status of the answer; null without one. */
  responseStatus: z.int().nullable().optional(),
  /** The first 2 KiB of the answer; null without one, and after an erasure of the subject. */
  responseBody: z.string().nullable().optional(),
  failure: z
    .string()
    .nullable()
    .optional()
    .describe(`${attemptFailures.join(", ")}; or null`),
  error: z.string().nullable().optional(),
  /** The time to the end of the answer; null for a delivery that was pulled. */
  durationMs: z.int().nullable().optional(),
});

const deliveryDetails = delivery
  .extend({
    /** All attempts, the first one first: at most 10. */
    attemptLog: z.array(attempt).optional(),
  })
  .meta({ id: "WebhookDeliveryDetails" });
/** A delivery with all its attempts. */
export type WebhookDeliveryDetails = z.output<typeof deliveryDetails>;
export type DeliveryAttempt = z.output<typeof attempt>;

const endpointReceipt = z.looseObject({ id: z.string(), status: z.string() });
export type EndpointReceipt = z.output<typeof endpointReceipt>;

const replay = z
  .strictObject({
    /** Names the delivery that is sent again. */
    deliveryId: storedId.optional(),
    /** Replays the ended deliveries that were made in this range, its end not included. */
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    /** True replays failed deliveries only. */
    failed: z.boolean().optional(),
  })
  .refine(rule("some", "deliveryId", "from", "to", "failed"), {
    path: ["deliveryId"],
    message: "is required, or from, to or failed",
  })
  .refine(rule("alone", "deliveryId", "from", "to", "failed"), {
    path: ["deliveryId"],
    message: "must be the only member",
  });
export type ReplayRequest = z.output<typeof replay>;

const replayReceipt = z.looseObject({
  /** New deliveries, at most 1,000 for each request. */
  replayed: z.int(),
  /** False if more deliveries match; replay from `next` on. */
  complete: z.boolean().optional(),
  next: timestamp.nullable().optional(),
});
export type ReplayReceipt = z.output<typeof replayReceipt>;

const pull = z.strictObject({
  /** The outcome of deliveries of earlier answers. */
  results: z
    .array(
      z.strictObject({
        deliveryId: storedId,
        /** The HTTP status of the answer; null without one. */
        responseStatus: z.int().min(100).max(599).nullable(),
        error: z.string().max(200).optional(),
      }),
    )
    .max(maximumPulled)
    .default([]),
});
export type PullRequest = z.output<typeof pull>;

const pulled = z.looseObject({
  items: z.array(
    z.looseObject({
      deliveryId: z.string(),
      type: z.string().optional(),
      subject: z.string().nullable().optional(),
      /** The header fields of the request, signed now. */
      headers: z.record(z.string(), z.string()),
      /** The body of the request as text, to be sent as it is. */
      body: z.string(),
    }),
  ),
});
export type PulledDeliveries = z.output<typeof pulled>;

const path = "/v4/webhooks/endpoints";
const params = z.object({ endpointId: storedId });
const deliveryParams = params.extend({ deliveryId: storedId });
const admins = members("tenant-admin", "header", "interface.md");

/**
 * Endpoints that receive the changes of a workspace as HTTP requests, signed as Standard Webhooks
 * (`v1` and `v1a`). A request that fails is retried 9 times within about 76 hours.
 */
export const webhookRoutes = {
  list: route.get(path, {
    summary: "List webhook endpoints, the newest first",
    ...admins,
    query: fixedListQuery.extend({
      /** The account that made the endpoints; without it the list has those of all. */
      createdBy: storedId.optional(),
    }),
    reply: replies(listBody(webhookEndpoint)),
  }),
  create: route.post(path, {
    summary: "Create a webhook endpoint; its secret is shown once",
    ...admins,
    body: json(creation),
    reply: replies(secretEndpoint, 201),
    idempotent: true,
  }),
  get: route.get(`${path}/{endpointId}`, {
    summary: "Get a webhook endpoint and its health",
    ...admins,
    params,
    reply: replies(webhookEndpoint),
  }),
  update: route.patch(`${path}/{endpointId}`, {
    summary: "Change a webhook endpoint",
    ...admins,
    params,
    body: json(changes),
    reply: replies(webhookEndpoint),
  }),
  remove: route.delete(`${path}/{endpointId}`, {
    summary: "Delete a webhook endpoint with its deliveries",
    ...admins,
    params,
    reply: replies(endpointReceipt),
  }),
  /** The delivery has one attempt; its outcome is read from the delivery. */
  test: route.post(`${path}/{endpointId}/test`, {
    summary: "Send a test event to a webhook endpoint",
    ...admins,
    params,
    reply: replies(delivery, 202),
    idempotent: true,
  }),
  /** Each former secret signs until the end of its grace. */
  rotate: route.post(`${path}/{endpointId}/rotate`, {
    summary: "Make a new secret and key of a webhook endpoint, shown once",
    ...admins,
    params,
    body: optionalJson(
      z.strictObject({ graceDays: z.int().min(0).max(maximumGraceDays).default(1) }),
    ),
    reply: replies(secretEndpoint),
    idempotent: true,
  }),
  enable: route.post(`${path}/{endpointId}/enable`, {
    summary: "Enable a webhook endpoint; it continues at the event at which it stopped",
    ...admins,
    params,
    reply: replies(webhookEndpoint),
    idempotent: true,
  }),
  replay: route.post(`${path}/{endpointId}/replay`, {
    summary: "Send one delivery again, those of a range, or all failed ones",
    ...admins,
    params,
    body: json(replay),
    reply: replies(replayReceipt, 202),
    idempotent: true,
  }),
  /** A delivery is pulled again after 60 s without its outcome. */
  pull: route.post(`${path}/{endpointId}/pull`, {
    summary: "Take the deliveries of a temporary endpoint, and report the outcome of earlier ones",
    ...admins,
    params,
    body: optionalJson(pull),
    reply: replies(pulled),
  }),
  deliveries: route.get(`${path}/{endpointId}/deliveries`, {
    summary: "List the deliveries of a webhook endpoint, the newest first",
    ...admins,
    params,
    query: fixedListQuery.extend({ status: z.enum(deliveryStates).optional() }),
    reply: replies(listBody(delivery)),
  }),
  delivery: route.get(`${path}/{endpointId}/deliveries/{deliveryId}`, {
    summary: "Get a delivery with all its attempts",
    ...admins,
    params: deliveryParams,
    reply: replies(deliveryDetails),
  }),
};
