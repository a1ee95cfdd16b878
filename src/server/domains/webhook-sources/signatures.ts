import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import type { SourceScheme } from "#contract/events/webhook-sources.ts";

/** The difference between the sender's clock and the platform's that a signed time may have. */
const toleranceMs = 5 * 60 * 1000;
const signaturesAtMost = 20;

/** A call as it came: only header fields and bytes, which nothing has checked yet. */
export interface IncomingCall {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * The id of a call whose signature one of the secrets has made; undefined for any other call. The
 * digest of the body is the id where the sender does not sign one.
 */
export function verifiedId(
  scheme: SourceScheme,
  secrets: readonly string[],
  call: IncomingCall,
  nowMs: number,
): string | undefined {
  switch (scheme.type) {
    case "standard":
      return standardId(scheme, secrets, call, nowMs);
    case "hmac": {
      const given = call.headers.get(scheme.header) ?? "";
      const isSigned = someSecret(secrets, (secret) =>
        equal(given, scheme.prefix + hmac(secret, call.body).digest("hex")),
      );
      return isSigned ? digestId(call.body) : undefined;
    }
    case "timestamped":
      return timestampedId(scheme, secrets, call, nowMs);
    case "token": {
      const given = (call.headers.get(scheme.header) ?? "").replace(/^Bearer /i, "");
      const isGiven = someSecret(secrets, (secret) => equal(given, secret));
      return isGiven ? digestId(call.body) : undefined;
    }
  }
}

/** Standard Webhooks: `id.time.body`, signed as `v1` (HMAC-SHA256) or `v1a` (ed25519). */
function standardId(
  { publicKey }: Extract<SourceScheme, { type: "standard" }>,
  secrets: readonly string[],
  { headers, body }: IncomingCall,
  nowMs: number,
): string | undefined {
  const field = (name: string): string =>
    headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? "";
  const id = field("id");
  const time = field("timestamp");
  const content = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  const given = field("signature").split(" ").slice(0, signaturesAtMost);
  const isSigned = someSecret(secrets, (secret) => {
    const expected = `v1,${hmac(keyOf(secret), content).digest("base64")}`;
    return someSecret(given, (signature) => equal(signature, expected));
  });
  const isSignedByKey =
    publicKey !== undefined &&
    given.some(
      (signature) => signature.startsWith("v1a,") && hasKey(publicKey, content, signature),
    );
  const isComplete = /^[\x21-\x7e]{1,255}$/.test(id) && isNow(time, nowMs);
  return (isSigned || isSignedByKey) && isComplete ? `id:${id}` : undefined;
}

/** `t=<seconds>,v1=<hex>` over `time.body`, as Stripe documents it. */
function timestampedId(
  { header }: Extract<SourceScheme, { type: "timestamped" }>,
  secrets: readonly string[],
  { headers, body }: IncomingCall,
  nowMs: number,
): string | undefined {
  const parts = (headers.get(header) ?? "").split(",").slice(0, signaturesAtMost);
  const pairs = parts.map((part) => part.trim().split("=", 2));
  const time = pairs.find(([name]) => name === "t")?.[1] ?? "";
  const given = pairs.flatMap(([name, value = ""]) => (name === "v1" ? [value] : []));
  const content = Buffer.concat([Buffer.from(`${time}.`), body]);
  const isSigned = someSecret(secrets, (secret) => {
    const expected = hmac(secret, content).digest("hex");
    return someSecret(given, (signature) => equal(signature, expected));
  });
  return isSigned && isNow(time, nowMs) ? digestId(body) : undefined;
}

/** Looks at all of them, so that the time does not show which one fits. */
function someSecret(all: readonly string[], fits: (one: string) => boolean): boolean {
  return all.map((one) => fits(one)).includes(true);
}

/** The bytes of a secret of Standard Webhooks: base64 after `whsec_`. */
function keyOf(secret: string): Buffer | string {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : secret;
}

function hmac(key: Buffer | string, content: Uint8Array) {
  return createHmac("sha256", key).update(content);
}

function equal(given: string, expected: string): boolean {
  const left = createHash("sha256").update(given).digest();
  return timingSafeEqual(left, createHash("sha256").update(expected).digest());
}

function hasKey(publicKey: string, content: Uint8Array, signature: string): boolean {
  const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, content, key, Buffer.from(signature.slice("v1a,".length), "base64"));
}

function isNow(time: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(Number(time) * 1000 - nowMs) <= toleranceMs;
}

function digestId(body: Uint8Array): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

/** Header fields that prove something or name the way of the call, which the list leaves out. */
const unlisted =
  /^(?:authorization|cookie|proxy-|x-forwarded-|forwarded$|.*(?:signature|token|secret|api-key))/;
const headerCharactersAtMost = 8_192;

/** The header fields of a call that are kept: no secret, and 8,192 characters at most. */
export function keptHeaders(scheme: SourceScheme, headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  const own = "header" in scheme ? scheme.header : undefined;
  let left = headerCharactersAtMost;
  for (const [name, value] of headers) {
    left -= name.length + value.length;
    if (name !== own && !unlisted.test(name) && left >= 0) kept[name] = value;
  }
  return kept;
}
