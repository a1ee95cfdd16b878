import { exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, type JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExternalWorld, type ExternalWorld } from "#test/support/external-provider.ts";
import { caller, type Answered } from "#test/support/platform.ts";
import type { TestDatabase } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";

/** Forged tokens of an external provider: nothing of them depends on the database. */
describe("a forged token of an external provider", () => {
  let database: TestDatabase;
  let world: ExternalWorld;

  beforeAll(async () => {
    database = await createPlatformTables("sqlite");
    world = await createExternalWorld(database);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  const seconds = () => Math.floor(Date.now() / 1000);
  const good = (): JWTPayload => ({
    iss: world.provider.issuer,
    aud: "svc-platform",
    sub: "boss",
    email: "boss@example.org",
    email_verified: true,
    iat: seconds(),
    exp: seconds() + 600,
  });
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = (
    payload: JWTPayload,
    header: Readonly<Record<string, unknown>> = {},
    key: CryptoKey | Uint8Array = world.provider.keys.signing,
  ) => new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "one", ...header }).sign(key);
  const ask = (token: string): Promise<Answered> =>
    caller((request) => world.platform.fetch(request), token).get("/v4/identity/me");

  test("is not the one that is accepted", async () => {
    expect((await ask(await signed(good()))).json).toMatchObject({ systemAdmin: true });
  });

  const unsigned = (alg: string) => () => `${part({ alg, kid: "one" })}.${part(good())}.`;
  /** Signs with what everyone can read, as a shared secret. */
  const withPublicKey = (text: () => Promise<string>) => async () =>
    signed(good(), { alg: "HS256" }, new TextEncoder().encode(await text()));
  const published = async () => (await fetch(`${world.provider.issuer}/keys`)).text();
  const ownKey = async (header: (own: object) => object) => {
    const pair = await generateKeyPair("RS256", { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    return signed(good(), { ...header(jwk) }, pair.privateKey);
  };
  const claims = (change: object) => () => signed(Object.assign(good(), change));
  const without = (name: keyof JWTPayload) => () => {
    const { [name]: _left, ...rest } = good();
    return signed(rest);
  };
  /** The library signs no header that it does not know. */
  const withCritical = async () => {
    const text = `${part({ alg: "RS256", kid: "one", crit: ["svc"], svc: true })}.${part(good())}`;
    const bytes = new TextEncoder().encode(text);
    const signature = await crypto.subtle.sign(
      "RSASSA-PKCS1-v1_5",
      world.provider.keys.signing,
      bytes,
    );
    return `${text}.${Buffer.from(signature).toString("base64url")}`;
  };
  const header = (change: Readonly<Record<string, unknown>>) => () => signed(good(), change);

  const forgeries: readonly (readonly [
    name: string,
    forge: () => Promise<string> | string,
    code?: string,
  ])[] = [
    ["no algorithm", unsigned("none")],
    ["no algorithm in other letters", unsigned("nOnE")],
    ["an empty algorithm", unsigned("")],
    ["a signature that was cut off", async () => (await signed(good())).replace(/[^.]+$/, "")],
    ["the published key as a shared secret", withPublicKey(published)],
    [
      "the published key in PEM as a shared secret",
      withPublicKey(async () => {
        const key = await importJWK(world.provider.keys.published, "RS256");
        return key instanceof Uint8Array ? "" : exportSPKI(key);
      }),
    ],
    ["an empty shared secret", () => signed(good(), { alg: "HS256" }, new Uint8Array(32))],
    ["another key under the same id", () => ownKey(() => ({}))],
    ["its own key in the header", () => ownKey((jwk) => ({ jwk }))],
    [
      "an address of other keys",
      () => ownKey(() => ({ jku: "http://127.0.0.1:1/keys", x5u: "http://127.0.0.1:1/chain" })),
    ],
    ["an unknown key id", header({ kid: "two" })],
    ["a path as key id", header({ kid: "../../../dev/null" })],
    ["SQL as key id", header({ kid: "' or 1=1 --" })],
    ["a member of every object as key id", header({ kid: "__proto__" })],
    ["a critical header that is unknown", withCritical],
    ["another issuer", claims({ iss: "https://evil.example" })],
    ["an issuer that begins like it", claims({ iss: "http://127.0.0.1:1/evil" })],
    ["no issuer", without("iss")],
    ["the audience of another service", claims({ aud: "another-service" })],
    ["the audience of an ID token", claims({ aud: "svc" })],
    ["no audience", without("aud")],
    ["no subject", without("sub")],
    ["no end", without("exp")],
    ["an end in the past", claims({ exp: 1_000 }), "token-expired"],
    ["an end that is text", claims({ exp: "9999999999" })],
    ["a start in the future", claims({ nbf: 99_999_999_999 })],
  ];
  test.each(forgeries.map(([name, forge, code = "token-invalid"]) => ({ name, forge, code })))(
    "is refused with $name",
    async ({ forge, code }) => {
      const answered = await ask(await forge());
      expect(answered.json).toMatchObject({ status: 401, code });
      expect(answered.headers.get("www-authenticate")).toContain('error="invalid_token"');
    },
  );

  test("does not crowd out the real one, a thousand times", async () => {
    const real = await signed(good());
    const forged = async (at: number) => {
      const token = `${part({ alg: "RS256", kid: `k${at}` })}.${part({ ...good(), jti: at })}.AAAA`;
      const request = new Request("http://platform.test/v4/identity/me", {
        headers: { authorization: `Bearer ${token}`, host: "platform.test" },
      });
      return (await world.platform.fetch(request, { address: "192.0.2.66" })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 1_000 }, (_, at) => forged(at)));
    expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([]);
    expect((await ask(real)).json).toMatchObject({ systemAdmin: true });
  });
});
