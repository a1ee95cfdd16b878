import { sign as githubSignature } from "@octokit/webhooks-methods";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect } from "vitest";
import { field, type Answered, type TestPlatform } from "#test/support/platform.ts";
import { ensureLedger } from "../records/routes/ledger.ts";

/** Senders of signed calls, from libraries that are not ours. */

export const sourcesPath = "/v4/webhooks/sources";
/** Upserts the record whose reference is in the body. */
const upsertMapping = `{upsert: {type: "ledger", property: "reference", value: .body.reference,
  data: {title: .body.title}}}`;

export interface MadeSource {
  readonly source: string;
  readonly secret: string;
  readonly keyId: string;
}

export function inTenant(the: TestPlatform) {
  return { headers: { "x-tenant-id": the.workspaces.tenant } };
}

/** A source of the workspace, made by its admin. */
export async function makeSource(the: TestPlatform, settings: object = {}): Promise<MadeSource> {
  await ensureLedger(the);
  const body = { name: "sender", mapping: upsertMapping, ...settings };
  const made = await the.as("tenant-admin").post(sourcesPath, body, inTenant(the));
  expect(made.status, made.text).toBe(201);
  const { source, secret, keyId } = made.json as Record<keyof MadeSource, string>;
  return { source, secret, keyId };
}

export type Fields = Readonly<Record<string, string>>;

/** Header fields of one scheme for a body. */
export interface Sender {
  readonly name: string;
  readonly scheme: object;
  readonly secret?: string;
  fields(secret: string, body: string, at: Date): Promise<Fields>;
}

let messages = 0;

const standard: Sender = {
  name: "standardwebhooks",
  scheme: { type: "standard" },
  async fields(secret, body, at) {
    messages += 1;
    const id = `msg_${messages}`;
    return {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    };
  },
};

const svix: Sender = {
  name: "svix",
  scheme: { type: "standard" },
  async fields(secret, body, at) {
    messages += 1;
    const id = `svix_${messages}`;
    return {
      "svix-id": id,
      "svix-timestamp": String(Math.floor(at.getTime() / 1000)),
      "svix-signature": new SvixWebhook(secret).sign(id, at, body),
    };
  },
};

const pair = generateKeyPairSync("ed25519");
const { x = "" } = pair.publicKey.export({ format: "jwk" });
const asymmetric: Sender = {
  name: "Standard Webhooks v1a",
  scheme: {
    type: "standard",
    publicKey: `whpk_${Buffer.from(x, "base64url").toString("base64")}`,
  },
  async fields(_secret, body, at) {
    messages += 1;
    const id = `key_${messages}`;
    const time = String(Math.floor(at.getTime() / 1000));
    const signed = sign(null, Buffer.from(`${id}.${time}.${body}`), pair.privateKey);
    return {
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": `v1a,${signed.toString("base64")}`,
    };
  },
};

const github: Sender = {
  name: "@octokit/webhooks-methods",
  scheme: { type: "hmac" },
  fields: async (secret, body) => ({ "x-hub-signature-256": await githubSignature(secret, body) }),
};

const stripe: Sender = {
  name: "the documented scheme of Stripe",
  scheme: { type: "timestamped" },
  async fields(secret, body, at) {
    const time = Math.floor(at.getTime() / 1000);
    const signed = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
    return {
      "stripe-signature": `t=${time},v1=${signed},v0=6ffbb59b2300aae63f272406069a9788598b792a`,
    };
  },
};

const token: Sender = {
  name: "a token",
  scheme: { type: "token", header: "x-gitlab-token" },
  fields: async (secret) => ({ "x-gitlab-token": secret }),
};

export const senders: readonly Sender[] = [standard, svix, asymmetric, github, stripe, token];
export const timedSenders: readonly Sender[] = [standard, svix, asymmetric, stripe];
export { github, standard };

export function callBody(reference: string, title = "from outside"): string {
  return JSON.stringify({ reference, title });
}

/** Sends a call without a bearer token. */
export function send(
  the: TestPlatform,
  source: string,
  body: string,
  fields: Fields,
): Promise<Answered> {
  return the.as("nobody").post(`/v4/webhooks/${source}`, undefined, {
    rawBody: body,
    headers: { "content-type": "application/json", ...fields },
  });
}

/** The received calls of a source, as its admin sees them. */
export async function receivedCalls(the: TestPlatform, source: string): Promise<object[]> {
  const path = `${sourcesPath}/${source}/received`;
  const listed = await the.as("tenant-admin").get(path, inTenant(the));
  expect(listed.status, listed.text).toBe(200);
  return field(listed.json, "items") as object[];
}
