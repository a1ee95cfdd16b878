import { createPublicKey, verify } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";
import { newSigningPair, signedHeaders } from "#server/domains/webhooks/signing/signature.ts";

const body = '{"type":"svc.resource.updated","data":{"name":"Ostra gränd 4"}}';

function message(id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", at = new Date()) {
  return { id, at, body };
}

/** Verifies `v1a` as a receiver does, which knows the public key alone. */
function verifiesKey(publicKey: string, headers: Record<string, string>, at: number): boolean {
  const raw = Buffer.from(publicKey.slice("whpk_".length), "base64");
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") },
    format: "jwk",
  });
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": all } = headers;
  const keyed = (all ?? "").split(" ").filter((one) => one.startsWith("v1a,"));
  const signature = Buffer.from(keyed[at]?.slice("v1a,".length) ?? "", "base64");
  return verify(null, Buffer.from(`${id}.${timestamp}.${body}`), key, signature);
}

test("the libraries of Standard Webhooks and of Svix accept the v1 signature", () => {
  const pair = newSigningPair();
  const headers = signedHeaders(message(), [pair]);
  expect(new StandardWebhook(pair.secret).verify(body, headers)).toEqual(JSON.parse(body));
  const svix = new SvixWebhook(pair.secret);
  expect(() => svix.verify(body, headers)).not.toThrow();
  expect(() => svix.verify(`${body} `, headers)).toThrow();
});

test("they refuse another body, another id, an old time and another secret", () => {
  const pair = newSigningPair();
  const receiver = new StandardWebhook(pair.secret);
  const headers = signedHeaders(message(), [pair]);
  const old = signedHeaders(message("msg_1", new Date(Date.now() - 6 * 60_000)), [pair]);
  expect(() => receiver.verify(`${body} `, headers)).toThrow();
  expect(() => receiver.verify(body, { ...headers, "webhook-id": "msg_2" })).toThrow();
  expect(() => receiver.verify(body, old)).toThrow();
  expect(() => new StandardWebhook(newSigningPair().secret).verify(body, headers)).toThrow();
});

test("the former and the new secret and key verify during a rotation", () => {
  const [former, next] = [newSigningPair(), newSigningPair()];
  const headers = signedHeaders(message(), [next, former]);
  for (const { secret } of [former, next]) {
    expect(new StandardWebhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
  expect(verifiesKey(next.publicKey, headers, 0)).toBe(true);
  expect(verifiesKey(former.publicKey, headers, 1)).toBe(true);
  expect(verifiesKey(former.publicKey, headers, 0)).toBe(false);
});

test("v1 equals the published vector of Standard Webhooks", () => {
  const at = new Date(1_614_265_330_000);
  const published = '{"test": 2432232314}';
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const { signingKey } = newSigningPair();
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  const headers = signedHeaders({ id, at, body: published }, [{ secret, signingKey }]);
  expect(headers["webhook-signature"]).toMatch(
    /^v1,g0hM9SsE\+OTPJTGt\/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,/,
  );
});

/** RFC 8032, 7.1, gives keys and signatures of ed25519; `v1a` signs as it does. */
test("the v1a key signs as the vectors of RFC 8032", () => {
  const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
  const raw = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
  const signingKey = Buffer.from(`302e020100300506032b657004220420${seed}`, "hex").toString(
    "base64",
  );
  const { secret } = newSigningPair();
  const headers = signedHeaders(message(), [{ secret, signingKey }]);
  const publicKey = `whpk_${Buffer.from(raw, "hex").toString("base64")}`;
  expect(verifiesKey(publicKey, headers, 0)).toBe(true);
});
