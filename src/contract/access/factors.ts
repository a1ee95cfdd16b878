import * as z from "zod";
import { named } from "../deployments.ts";
import { listBody } from "../lists.ts";
import { json, replies, route, outside } from "../route.ts";
import { secretText, storedId, timestamp } from "../values.ts";

const factor = z
  .looseObject({
    factorId: z.string(),
    /** `totp`: codes of an app (RFC 6238); `passkey`: a key of a device (WebAuthn). */
    kind: z.enum(["totp", "passkey"]).optional(),
    name: z.string().optional(),
    /** `pending` until the first code has confirmed it. */
    status: z.enum(["pending", "active"]).optional(),
    /** The host at which a passkey signs in; null for an app. */
    host: z.string().nullable().optional(),
    created_at: timestamp.optional(),
    lastUsedAt: timestamp.nullable().optional(),
  })
  .meta({ id: "Factor" });
/** A second factor of the current user's account, without its secret. */
export type Factor = z.output<typeof factor>;

const recoveryCodes = z.array(secretText);

const factorList = listBody(factor)
  .extend({
    /** Recovery codes that are not used. */
    recoveryCodesLeft: z.int().optional(),
    /** The platform asks this account for a second factor. */
    required: z.boolean().optional(),
  })
  .meta({ id: "FactorList" });
export type FactorList = z.output<typeof factorList>;

const addedFactor = z
  .looseObject({
    factor: named(factor),
    /** The secret in Base32, to type into an app; it is shown once. */
    secret: secretText,
    /** The secret for an app's camera: `otpauth://totp/…`. */
    uri: secretText,
    /** The app is not added if no first code comes until then. */
    expiresAt: timestamp.optional(),
  })
  .meta({ id: "AddedFactor" });
/** The answer to a new app, before its first code confirms it. */
export type AddedFactor = z.output<typeof addedFactor>;

const confirmedFactor = z
  .looseObject({
    factor: named(factor),
    /** Recovery codes, with the first factor only; each is valid once and shown once. */
    recoveryCodes: recoveryCodes.optional(),
  })
  .meta({ id: "ConfirmedFactor" });
export type ConfirmedFactor = z.output<typeof confirmedFactor>;

const currentPassword = secretText.min(1).max(1024);
const factorParams = z.object({ factorId: storedId });
const signedIn = {
  ...outside("signed-in", "interface.md"),
  peopleOnly: true,
} as const;

/**
 * Second factors of the sign-in at this platform. Each change needs the present password, so that a
 * stolen access token cannot take over the account. Passkeys are added in a browser only, at
 * `/auth/factors`.
 */
export const factorRoutes = {
  list: route.get("/v4/identity/me/factors", {
    summary: "List the current user's second factors",
    ...signedIn,
    reply: replies(factorList),
  }),
  /** Wrong passwords count together with those of the sign-in page. */
  add: route.post("/v4/identity/me/factors", {
    summary: "Add an app that shows codes; its first code confirms it",
    ...signedIn,
    body: json(
      z.strictObject({ currentPassword, name: z.string().trim().min(1).max(100).optional() }),
    ),
    reply: replies(addedFactor, 201),
  }),
  confirm: route.post("/v4/identity/me/factors/{factorId}/confirm", {
    summary: "Confirm a new app with its first code; the first factor gives recovery codes",
    ...signedIn,
    params: factorParams,
    body: json(z.strictObject({ code: secretText.min(1).max(100) })),
    reply: replies(confirmedFactor),
  }),
  remove: route.post("/v4/identity/me/factors/{factorId}/remove", {
    summary: "Remove a second factor; the last one takes the recovery codes with it",
    ...signedIn,
    params: factorParams,
    body: json(z.strictObject({ currentPassword })),
    reply: replies(z.looseObject({ factorId: z.string(), status: z.literal("removed") })),
  }),
  renewCodes: route.post("/v4/identity/me/recovery-codes", {
    summary: "Replace the recovery codes; they are shown this once",
    ...signedIn,
    body: json(z.strictObject({ currentPassword })),
    reply: replies(z.looseObject({ recoveryCodes })),
  }),
};
