import * as z from "zod";
import { receivedStates } from "./webhook-source-values.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { bytes, json, members, optionalJson, outside, replies, route } from "../route.ts";
import { jsonObject, role, secretText, storedId, timestamp } from "../values.ts";

/** Largest body of a call, in bytes. */
export const maximumCallBytes = 1024 * 1024;
/** Names below `/v4/webhooks` that no source has. */
export const reservedSourceNames: ReadonlySet<string> = new Set(["endpoints", "sources"]);
const maximumGraceDays = 7;

const headerName = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,100}$/, "must be the name of a header field");

const schemes = z.discriminatedUnion("type", [
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature` (Standard Webhooks, v1 and v1a). */
  z.strictObject({
    type: z.literal("standard"),
    /** The sender's ed25519 key, `whpk_…`: then `v1a` signatures count too. */
    publicKey: z
      .string()
      .regex(/^whpk_[A-Za-z0-9+/]{43}=$/, "must be whpk_ and 32 bytes in base64")
      .optional(),
  }),
  /** HMAC-SHA256 of the body in hexadecimal digits in one header field, as GitHub's. */
  z.strictObject({
    type: z.literal("hmac"),
    header: headerName.default("x-hub-signature-256"),
    prefix: z.string().max(20).default("sha256="),
  }),
  /** `t=…,v1=…`: HMAC-SHA256 of the time and the body in one header field, as Stripe's. */
  z.strictObject({
    type: z.literal("timestamped"),
    header: headerName.default("stripe-signature"),
  }),
  /** The secret itself in one header field; a `Bearer ` before it is left out. */
  z.strictObject({ type: z.literal("token"), header: headerName.default("x-webhook-token") }),
]);
export type SourceScheme = z.output<typeof schemes>;

const settings = {
  name: z.string().trim().min(1).max(100),
  scheme: schemes,
  /** The role by whose rights calls take effect; at most the maker's, also at each call. */
  role,
  /** A jq program that makes the effect of a call; `empty` only keeps the call. */
  mapping: z.string().min(1).max(16_384),
};
/** Long enough for the entropy of a secret, and no longer than a header field. */
const chosenSecret = z
  .string()
  .min(16)
  .max(500)
  .regex(/^[\x20-\x7e]+$/, "must consist of printable ASCII characters");

/** The settings of a source that an archive has. */
export const archivedSource = z.strictObject({
  name: settings.name,
  scheme: settings.scheme,
  mapping: settings.mapping,
  created_at: z.iso.datetime(),
});
export type ArchivedSource = z.output<typeof archivedSource>;

const source = z
  .looseObject({
    /** The last segment of the URL to which calls are sent. */
    source: z.string(),
    name: z.string().optional(),
    url: z.string().optional(),
    scheme: z.looseObject({ type: z.string() }).optional(),
    role: role.optional(),
    mapping: z.string().optional(),
    status: z.string().optional().describe("active or disabled"),
    /** The key of a service account in whose name calls take effect, also in the audit. */
    keyId: z.string().optional(),
    /** The end of the former secret after a rotation. */
    rotatesUntil: timestamp.nullable().optional(),
    created_by: z.string().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  })
  .meta({ id: "WebhookSource" });
/** A source of calls from outside, without its secret. */
export type WebhookSource = z.output<typeof source>;

const secretSource = source
  .extend({
    /** The secret that the sender signs with; only in the first answer. */
    secret: secretText.optional(),
    /** Why no secret is in this answer. */
    note: z.string().optional(),
  })
  .meta({ id: "WebhookSourceSecret" });
export type WebhookSourceSecret = z.output<typeof secretSource>;

const creation = z.strictObject({
  ...settings,
  scheme: settings.scheme.default({ type: "standard" }),
  role: settings.role.default("tenant-staff"),
  mapping: settings.mapping.default("empty"),
  /** A secret that the sender has chosen; without it the platform makes one. */
  secret: chosenSecret.meta({ format: "password" }).optional(),
});
export type SourceCreation = z.output<typeof creation>;

const changes = z.strictObject({
  name: settings.name.optional(),
  scheme: settings.scheme.optional(),
  role: settings.role.optional(),
  mapping: settings.mapping.optional(),
  /**
   * False refuses all calls, as an unknown source does. True for a source of an archive is 409
   * until its secret was rotated.
   */
  enabled: z.boolean().optional(),
});
export type SourceChanges = z.output<typeof changes>;

const rotation = z.strictObject({
  secret: chosenSecret.meta({ format: "password" }).optional(),
  /** Days in which the former secret works too. */
  graceDays: z.int().min(0).max(maximumGraceDays).default(1),
});
export type SourceRotation = z.output<typeof rotation>;

/** The effect that a mapping makes: exactly one member. */
export const mappedEffect = z.union([
  z.strictObject({
    upsert: z.strictObject({
      type: z.string().min(1).max(255),
      /** A property that is unique. */
      property: z.string().min(1).max(255),
      value: z.union([z.string().min(1), z.number(), z.boolean()]),
      data: jsonObject,
      replace: z.boolean().optional(),
    }),
  }),
  z.strictObject({
    action: z.strictObject({
      type: z.string().min(1).max(255),
      id: z.string().min(1).max(255),
      name: z.string().min(1).max(255),
      parameters: jsonObject.optional(),
    }),
  }),
  z.strictObject({
    document: z
      .strictObject({
        filename: z.string().min(1).max(255),
        mediaType: z.string().max(255).optional(),
        text: z.string().optional(),
        base64: z
          .string()
          .refine(rule("base64"), "must be base64")
          .meta({ format: "base64", contentEncoding: "base64" })
          .optional(),
        /** Further fields of the upload form. */
        fields: z.record(z.string(), z.string()).optional(),
      })
      .refine(rule("either", "text", "base64"), {
        path: ["text"],
        message: "is required, or base64",
      }),
  }),
]);
export type MappedEffect = z.output<typeof mappedEffect>;

const received = z
  .looseObject({
    id: z.string(),
    source: z.string().optional(),
    /** The id that the sender has signed, or the digest of the body. */
    eventId: z.string().optional(),
    status: z.string().optional().describe("waiting, done, skipped or failed"),
    attempts: z.int().optional(),
    error: z.string().nullable().optional(),
    /** The kind of the effect: `upsert`, `action` or `document`. */
    effect: z.string().nullable().optional(),
    /** The id of the record or document that the call has changed. */
    subject: z.string().nullable().optional(),
    /** Length of the body in bytes. */
    size: z.int().optional(),
    received_at: timestamp.optional(),
    processed_at: timestamp.nullable().optional(),
    /** When the platform forgets the call, and its id may come again. */
    expiresAt: timestamp.optional(),
  })
  .meta({ id: "ReceivedCall" });
/** A call that a source has received. */
export type ReceivedCall = z.output<typeof received>;

const receivedDetails = received
  .extend({
    headers: z.record(z.string(), z.string()).optional(),
    /** The body as text; null for bytes that are not UTF-8, and after an erasure. */
    body: z.string().nullable().optional(),
  })
  .meta({ id: "ReceivedCallDetails" });
export type ReceivedCallDetails = z.output<typeof receivedDetails>;

const accepted = z
  .looseObject({
    id: z.string(),
    /** True if the same call was received before; it has no second effect. */
    duplicate: z.boolean().optional(),
  })
  .meta({ id: "AcceptedCall" });
export type AcceptedCall = z.output<typeof accepted>;

const trial = z
  .strictObject({
    /** Another mapping than the one of the source. */
    mapping: settings.mapping.optional(),
    /** The call's headers and body, or a call that was received. */
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
    receivedId: storedId.optional(),
  })
  .refine(rule("either", "body", "receivedId"), {
    path: ["body"],
    message: "is required, or receivedId",
  });
export type MappingTrial = z.output<typeof trial>;

const trialOutcome = z.looseObject({
  /** The effect that a call would have; null without one. */
  effect: z.looseObject({}).nullable(),
  /** Why the mapping has failed; null if it has not. */
  error: z.string().nullable(),
});
export type TrialOutcome = z.output<typeof trialOutcome>;

const sourceReceipt = z.looseObject({ source: z.string(), status: z.string() });
export type SourceReceipt = z.output<typeof sourceReceipt>;

const path = "/v4/webhooks/sources";
const params = z.object({ source: storedIdOfSource() });
const receivedParams = params.extend({ receivedId: storedId });
const admins = members("tenant-admin", "header", "interface.md");

function storedIdOfSource() {
  return z
    .string()
    .max(1024)
    .regex(/^[\w-]+$/, "must be the id of a source");
}

/**
 * Sources of signed calls from outside (spec 6.2). The signature replaces the bearer token. A
 * call is stored once for 30 days, then mapped to an upsert, an action or an upload by a job.
 */
export const webhookSourceRoutes = {
  /** 401 for an unknown source and for a wrong signature alike; 202 once the call is stored. */
  receive: route.post("/v4/webhooks/{source}", {
    summary: "Receive a signed call from outside, which takes effect once",
    ...outside("public", "spec 6.2"),
    params,
    body: bytes,
    reply: replies(accepted, 202),
    adds: true,
  }),
  list: route.get(path, {
    summary: "List the sources of calls from outside, the newest first",
    ...admins,
    query: fixedListQuery,
    reply: replies(listBody(source)),
  }),
  create: route.post(path, {
    summary: "Create a source of calls from outside; its secret is shown once",
    ...admins,
    body: json(creation),
    reply: replies(secretSource, 201),
    idempotent: true,
    peopleOnly: true,
  }),
  get: route.get(`${path}/{source}`, {
    summary: "Get a source of calls from outside",
    ...admins,
    params,
    reply: replies(source),
  }),
  update: route.patch(`${path}/{source}`, {
    summary: "Change a source of calls from outside",
    ...admins,
    params,
    body: json(changes),
    reply: replies(source),
    peopleOnly: true,
  }),
  remove: route.delete(`${path}/{source}`, {
    summary: "Delete a source with the calls that it has received",
    ...admins,
    params,
    reply: replies(sourceReceipt),
    peopleOnly: true,
  }),
  /** Each former secret is accepted until the end of its grace. */
  rotate: route.post(`${path}/{source}/rotate`, {
    summary: "Give a source another secret, shown once",
    ...admins,
    params,
    body: optionalJson(rotation),
    reply: replies(secretSource),
    idempotent: true,
    peopleOnly: true,
  }),
  /** The trial of a mapping changes nothing. */
  test: route.post(`${path}/{source}/test`, {
    summary: "Show the effect that a call would have, without the effect",
    ...admins,
    params,
    body: json(trial),
    reply: replies(trialOutcome),
    asks: true,
  }),
  received: route.get(`${path}/{source}/received`, {
    summary: "List the calls that a source has received, the newest first",
    ...admins,
    params,
    query: fixedListQuery.extend({ status: z.enum(receivedStates).optional() }),
    reply: replies(listBody(received)),
  }),
  receivedCall: route.get(`${path}/{source}/received/{receivedId}`, {
    summary: "Get a received call with its headers and body",
    ...admins,
    params: receivedParams,
    reply: replies(receivedDetails),
  }),
  replay: route.post(`${path}/{source}/received/{receivedId}/replay`, {
    summary: "Let a received call take effect again",
    ...admins,
    params: receivedParams,
    reply: replies(received, 202),
    idempotent: true,
  }),
};
