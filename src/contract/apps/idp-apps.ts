import * as z from "zod";
import { storedKey } from "./apps.ts";
import { alsoNamed, named } from "../deployments.ts";
import { fixedListQuery, listBody } from "../lists.ts";
import { rule } from "../plain/rule.ts";
import { json, members, replies, route } from "../route.ts";
import { opaqueId, secretText, timestamp } from "../values.ts";

/** Redirect addresses of one app. */
const maximumRedirects = 20;
const redirectUri = z
  .string()
  .max(2000)
  .refine(rule("redirect address"), "must be an https address, or an http address of localhost");

const idpApp = z
  .looseObject({
    clientId: named(alsoNamed(z.string(), "appId")),
    /** Key of the app in its workspace. */
    key: alsoNamed(z.string().optional(), "app_key", "vertical_key"),
    displayName: alsoNamed(z.string().optional(), "name"),
    redirectUris: z.array(z.string()).optional(),
    /** Addresses to which users return after a sign-out. */
    postLogoutRedirectUris: z.array(z.string()).optional(),
    /** `deauthorized`: no sign-in until the app is confirmed again. */
    status: z.string().optional().describe("active or deauthorized"),
    /** True from a rotation of the secret to its confirmation; both secrets work meanwhile. */
    rotationPending: z.boolean().optional(),
    /** `optional`: the secret alone may redeem a code whose request had no challenge. */
    pkce: z.string().optional().describe("required or optional"),
    created_at: timestamp.optional(),
    /** The time at which the newest secret was made. */
    secretCreatedAt: timestamp.nullable().optional(),
  })
  .meta({ id: "IdpApp" });
/** An app that signs its users in at the embedded OpenID provider, without its secret. */
export type IdpApp = z.output<typeof idpApp>;

const idpAppSecret = idpApp
  .extend({
    /** The OpenID provider that the app uses. */
    issuer: z.string().optional(),
    /** The secret, in the first answer to a creation or a rotation only. */
    clientSecret: secretText.optional(),
    /** False when the registration existed already. */
    created: z.boolean().optional(),
    /** Why no secret is in this answer. */
    note: z.string().optional(),
  })
  .meta({ id: "IdpAppSecret" });
/** The answer to the registration of an app, or to a new secret. */
export type IdpAppSecret = z.output<typeof idpAppSecret>;

const registration = z
  .strictObject({
    /** Confirms this registration; 404 if it does not exist. */
    clientId: opaqueId.optional(),
    /** The newest secret, as proof that it is in use: an older one ends. */
    clientSecret: secretText.min(1).max(200).optional(),
    /** Creates the registration of this app, or confirms the present one. */
    key: storedKey.optional(),
    displayName: z.string().trim().min(1).max(200).optional(),
    redirectUris: z.array(redirectUri).min(1).max(maximumRedirects).optional(),
    /** Addresses of `post_logout_redirect_uri`; an empty list removes them. */
    postLogoutRedirectUris: z.array(redirectUri).max(maximumRedirects).optional(),
    /** `optional` is for libraries without PKCE (RFC 7636); default `required`. */
    pkce: z.enum(["required", "optional"]).optional(),
  })
  .refine(rule("some", "clientId", "key"), {
    message: "is required, or clientId",
    path: ["key"],
  });
export type IdpRegistration = z.output<typeof registration>;

const idpReceipt = z.looseObject({
  clientId: z.string().optional(),
  status: z.string().optional().describe("deleted or deauthorized"),
  /** Sign-ins that ended with it. */
  endedSessions: z.int().optional(),
});
export type IdpReceipt = z.output<typeof idpReceipt>;

const clientParams = z.object({ clientId: opaqueId });

/**
 * Apps as clients of the embedded OpenID provider: authorization code with a client secret, and
 * with PKCE unless the registration makes it optional. Members of the app's workspace and of its
 * child workspaces can sign in. Tokens of the app are valid in these workspaces only, and never
 * change the account.
 */
export const idpAppRoutes = {
  list: route.get("/v4/platform/provisioning/idp-apps", {
    summary: "List the app registrations of a workspace, the newest first",
    ...members("tenant-admin", "header", "interface.md"),
    query: fixedListQuery,
    reply: replies(listBody(idpApp)),
  }),
  /** A confirmation changes what the body names, and authorizes a deauthorized app again. */
  provision: route.post("/v4/platform/provisioning/idp-apps", {
    summary: "Create or confirm an app registration for end-user sign-in",
    ...members("tenant-admin", "header", "spec 4.4"),
    body: json(registration),
    reply: replies(idpAppSecret),
    idempotent: true,
  }),
  /** The old secret works until the new one is confirmed. */
  rotateSecret: route.post("/v4/platform/provisioning/idp-apps/{clientId}/rotate-secret", {
    summary: "Make a new secret of an app, shown once",
    ...members("tenant-admin", "header", "spec 4.4"),
    params: clientParams,
    reply: replies(idpAppSecret),
    idempotent: true,
  }),
  remove: route.delete("/v4/platform/provisioning/idp-apps/{clientId}", {
    summary: "Deauthorize an app at once, with its sign-ins, and delete the registration",
    ...members("tenant-admin", "header", "spec 4.4"),
    params: clientParams,
    query: z.object({
      keepRegistration: z
        .enum(["true", "false"])
        .optional()
        .describe("`true`: only deauthorize; a confirmation authorizes the app again"),
    }),
    reply: replies(idpReceipt),
  }),
};
