import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlatform, type Platform } from "#server/platform.ts";
import {
  caller,
  describePlatform,
  testBaseUrl,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** The platform's signing key, as a thief of the key file and the database has it. */
function stolenKey(the: TestPlatform): Promise<{ readonly kid: string; readonly key: CryptoKey }> {
  return the.platform.services.tokens.keys.signer();
}

function me(the: TestPlatform, token: string): Promise<Answered> {
  return caller((request) => the.platform.fetch(request), token).get("/v4/identity/me");
}

describePlatform("an access token", (the) => {
  const now = () => Math.floor(the().now().getTime() / 1000);
  const good = (): JWTPayload => ({
    iss: `${testBaseUrl}/auth`,
    aud: "svc-platform",
    sub: the().users["tenant-staff"].oid,
    iat: now(),
    exp: now() + 600,
  });
  const sign = async (
    payload: JWTPayload,
    header: { alg?: string; typ?: string; kid?: string } = {},
  ): Promise<string> => {
    const { kid, key } = await stolenKey(the());
    return new SignJWT(payload)
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, ...header })
      .sign(key);
  };
  const refused = { status: 401, code: "token-invalid" };

  test("of the right form is accepted", async () => {
    expect((await me(the(), await sign(good()))).status).toBe(200);
  });

  test("of a platform whose clock is 5 s ahead is accepted", async () => {
    const at = now() + 5;
    expect((await me(the(), await sign({ ...good(), iat: at, nbf: at }))).status).toBe(200);
  });

  test("that has expired 5 s ago is refused", async () => {
    const expired = await me(the(), await sign({ ...good(), exp: now() - 5 }));
    expect(expired).toMatchObject({ status: 401, json: { code: "token-expired" } });
  });

  test.each([
    ["another issuer", { iss: "https://evil.example/auth" }],
    ["another path of the issuer", { iss: `${testBaseUrl}/auth2` }],
    ["another audience", { aud: "another-service" }],
    ["no audience", { aud: undefined }],
    ["an unknown subject", { sub: "01900000-0000-7000-8000-00000000dead" }],
    ["no subject", { sub: undefined }],
    ["no expiry", { exp: undefined }],
    ["a start in the future", { nbf: 99_999_999_999 }],
    ["a revoked or unknown grant", { sid: "01900000-0000-7000-8000-00000000dead" }],
  ])("with %s is refused", async (_what, change) => {
    const payload = Object.fromEntries(
      Object.entries({ ...good(), ...change }).filter(([, value]) => value !== undefined),
    );
    const answered = await me(the(), await sign(payload));
    expect(answered.json).toMatchObject(refused);
    expect(answered.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test("that has expired is refused as expired, also after it was verified", async () => {
    const token = await sign({ ...good(), exp: now() + 100 });
    expect((await me(the(), token)).status).toBe(200);
    the().advance(101_000);
    for (const answered of [await me(the(), token), await me(the(), token)]) {
      expect(answered.json).toMatchObject({ status: 401, code: "token-expired" });
      expect(answered.headers.get("www-authenticate")).toContain("expired");
    }
  });

  test("of another type (an ID token) is refused", async () => {
    expect((await me(the(), await sign(good(), { typ: "JWT" }))).json).toMatchObject(refused);
  });

  test.each(["", "other", "../../etc/passwd", "' or 1=1 --"])(
    "with the key id %j is refused",
    async (kid) => {
      expect((await me(the(), await sign(good(), { kid }))).json).toMatchObject(refused);
    },
  );

  test("signed with another key is refused, also with its own key in the header", async () => {
    const { kid } = await stolenKey(the());
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const own = new SignJWT(good());
    const plain = await own
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid })
      .sign(privateKey);
    expect((await me(the(), plain)).json).toMatchObject(refused);
    const jwk = await exportJWK(publicKey);
    const carried = await new SignJWT(good())
      .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid, jwk, jku: "http://127.0.0.1:1/keys" })
      .sign(privateKey);
    expect((await me(the(), carried)).json).toMatchObject(refused);
  });

  test("signed with the public key as a shared secret is refused", async () => {
    const { kid } = await stolenKey(the());
    const keys = await the().as("nobody").fetch("GET", "/auth/jwks.json");
    const text = await keys.text();
    for (const secret of [text, JSON.stringify(JSON.parse(text).keys[0])]) {
      const forged = await new SignJWT(good())
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid })
        .sign(new TextEncoder().encode(secret));
      expect((await me(the(), forged)).json).toMatchObject(refused);
    }
  });

  test.each(["none", "None", "NONE", ""])("without a signature is refused: %j", async (alg) => {
    const { kid } = await stolenKey(the());
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${part({ alg, typ: "at+jwt", kid })}.${part(good())}.`;
    expect((await me(the(), unsigned)).status).toBe(401);
  });

  test("with one changed character is refused", async () => {
    const token = await sign(good());
    const [, , signature = ""] = token.split(".");
    const start = token.length - signature.length;
    for (let at = 0; at < token.length - 1; at += 7) {
      const other = token[at] === "A" ? "B" : "A";
      if (token[at] === ".") continue;
      const changed = token.slice(0, at) + other + token.slice(at + 1);
      const answered = await me(the(), changed);
      expect({ at, start, status: answered.status }).toEqual({ at, start, status: 401 });
    }
  });

  test.each(["", "Bearer", "Bearer ", "Basic YWRtaW46YWRtaW4=", `Bearer ${"x".repeat(8193)}`])(
    "that is missing is 401: %j",
    async (authorization) => {
      const answered = await the()
        .as("nobody")
        .get("/v4/identity/me", { headers: { authorization } });
      expect(answered.json).toMatchObject({ status: 401, code: "unauthenticated" });
    },
  );

  test.each(["Bearer a b", "Bearer \u00e9", "Bearer a,b"])(
    "with characters that are not allowed in tokens is refused: %j",
    async (authorization) => {
      const answered = await the()
        .as("nobody")
        .get("/v4/identity/me", { headers: { authorization } });
      expect(answered.json).toMatchObject(refused);
    },
  );

  test("never appears in a response or the log", async () => {
    const token = await sign({ ...good(), iss: "https://evil.example" });
    const answered = await me(the(), token);
    expect(answered.text).not.toContain(token.slice(10, 40));
    expect(JSON.stringify(the().log)).not.toContain(token.slice(10, 40));
  });

  test("that is guessed counts against the sender's rate limit", async () => {
    const before = await the().as("nobody").get("/v4/data/resources/health");
    for (let n = 0; n < 5; n += 1) await me(the(), `x.${n}.y`);
    const after = await the().as("nobody").get("/v4/data/resources/health");
    const left = ({ headers }: Answered) =>
      Number(/r=(\d+)/.exec(headers.get("ratelimit") ?? "")?.[1]);
    expect(left(after)).toBeLessThanOrEqual(left(before) - 5);
  });
});

describe("tokens of another issuer", () => {
  const issuer = "https://login.example.org/tenant";
  let platform: Platform;
  let provider: Bun.Server<undefined>;
  let address: string;
  let key: CryptoKey;
  let requests: string[];

  beforeAll(async () => {
    const pair = await generateKeyPair("RS256", { extractable: true });
    key = pair.privateKey;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256", use: "sig" };
    requests = [];
    provider = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname } = new URL(request.url);
        requests.push(pathname);
        if (pathname === "/.well-known/openid-configuration") {
          return Response.json({ issuer: address, jwks_uri: `${address}/keys` });
        }
        if (pathname === "/liar/.well-known/openid-configuration") {
          return Response.json({ issuer, jwks_uri: `${address}/keys` });
        }
        if (pathname === "/keyless/.well-known/openid-configuration") {
          const keyless = { issuer: `${address}/keyless`, jwks_uri: `${address}/none` };
          return Response.json(keyless);
        }
        return pathname === "/keys"
          ? Response.json({ keys: [jwk] })
          : new Response(null, { status: 404 });
      },
    });
    address = `http://127.0.0.1:${provider.port}`;
    platform = await openWith(address);
  });
  afterAll(async () => {
    await platform.close();
    await provider.stop(true);
  });

  async function openWith(
    authUrl: string,
    dataDirectory?: string,
    hasNamedFirstUser = true,
  ): Promise<Platform> {
    return createPlatform({
      dataDirectory: dataDirectory ?? (await temporaryDirectory("external")),
      baseUrl: testBaseUrl,
      authUrl,
      ...(hasNamedFirstUser ? { firstUser: { email: "boss@example.org" } } : {}),
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      extractionCommand: [],
    });
  }
  const sign = (claims: JWTPayload, alg = "RS256") =>
    new SignJWT({ email: "ada@example.org", name: "Ada", ...claims })
      .setProtectedHeader({ alg, kid: "one" })
      .setIssuer(typeof claims.iss === "string" ? claims.iss : address)
      .setAudience("svc-platform")
      .setIssuedAt()
      .setExpirationTime("10m")
      .sign(key);
  const ask = async (token: string, of = platform) =>
    caller((request) => of.fetch(request), token).get("/v4/identity/me");

  test("are verified with its published keys, and create its users", async () => {
    const token = await sign({ sub: "auth|ada" });
    const first = await ask(token);
    expect(first.json).toMatchObject({ email: "ada@example.org", displayName: "Ada" });
    const again = await ask(await sign({ sub: "auth|ada", jti: "2" }));
    expect(again.json).toEqual(first.json);
    expect(requests.filter((path) => path.endsWith("openid-configuration"))).toHaveLength(1);
  });

  test("have a verified address also by the claim of Entra ID", async () => {
    const fresh = await openWith(address);
    const boss = { email: "boss@example.org" };
    const unverified = await sign({ sub: "guest", ...boss, xms_edov: false });
    expect((await ask(unverified, fresh)).json).toMatchObject({ systemAdmin: false });
    const verified = await sign({ sub: "boss", ...boss, xms_edov: true });
    expect((await ask(verified, fresh)).json).toMatchObject({ systemAdmin: true });
    await fresh.close();
  });

  test("with the default address of the first user are not the administrator's", async () => {
    const directory = await temporaryDirectory("external");
    const fresh = await openWith(address, directory, false);
    try {
      const claims = { email: "Admin@localhost", email_verified: true };
      for (const sub of ["auth|first", "auth|second"]) {
        const me = await ask(await sign({ sub, ...claims }), fresh);
        expect(me.json).toMatchObject({ email: "Admin@localhost", systemAdmin: false });
      }
    } finally {
      await fresh.close();
    }
    const named = await openWith(address, directory);
    try {
      const claims = { sub: "auth|boss", email: "boss@example.org", email_verified: true };
      expect((await ask(await sign(claims), named)).json).toMatchObject({ systemAdmin: true });
    } finally {
      await named.close();
    }
  });

  test("of two users with one address belong to two users", async () => {
    const one = await ask(await sign({ sub: "auth|one", email: "same@example.org" }));
    const other = await ask(await sign({ sub: "auth|two", email: "same@example.org" }));
    expect(one.json).not.toEqual(other.json);
  });

  test("lose claims that no database can store; without a subject they are refused", async () => {
    const named = await ask(
      await sign({ sub: "auth|nul", name: "A\0da", email: "nul@example.org" }),
    );
    expect(named.json).toMatchObject({ displayName: "nul@example.org" });
    const withoutSubject = await ask(await sign({ sub: "auth|\0" }));
    expect(withoutSubject.json).toMatchObject({ status: 401, code: "token-invalid" });
  });

  test("are linked to the first user only with a verified address", async () => {
    const claims = { email: "boss@example.org", name: "Boss" };
    const thief = await ask(await sign({ ...claims, sub: "auth|thief" }));
    expect(thief.json).toMatchObject({ systemAdmin: false });
    const boss = await ask(await sign({ ...claims, sub: "auth|boss", email_verified: true }));
    expect(boss.json).toMatchObject({ systemAdmin: true });
    const late = await ask(await sign({ ...claims, sub: "auth|late", email_verified: true }));
    expect(late.json).toMatchObject({ systemAdmin: false });
  });

  test("prove no address by a preferred user name or with invisible characters", async () => {
    const own = await openWith(address);
    for (const [sub, claims] of [
      ["auth|name", { email: undefined, preferred_username: "boss@example.org" }],
      ["auth|hidden", { email: "boss\u200b@example.org" }],
      ["auth|wide", { email: "boss@example.org\u00ad" }],
    ] as const) {
      const token = await sign({ ...claims, name: undefined, sub, email_verified: true });
      const answered = await ask(token, own);
      expect(answered.json).toMatchObject({ systemAdmin: false });
      expect(answered.json).not.toHaveProperty("email");
    }
    const wide = { email: "\uff42oss@EXAMPLE.org", email_verified: true, sub: "auth|boss" };
    expect((await ask(await sign(wide), own)).json).toMatchObject({ systemAdmin: true });
    await own.close();
  });

  test("with another issuer are refused", async () => {
    const answered = await ask(await sign({ sub: "auth|ada", iss: "https://evil.example" }));
    expect(answered.json).toMatchObject({ status: 401, code: "token-invalid" });
  });

  test("disable the platform's own sign-in", async () => {
    const anonymous = caller((request) => platform.fetch(request), undefined);
    const response = await anonymous.fetch("GET", "/auth/.well-known/openid-configuration");
    expect(response.status).toBe(404);
  });

  test("disable the platform's own tokens", async () => {
    const { token } = await platform.mintToken({ ttlMs: 60_000 });
    expect((await ask(token)).json).toMatchObject({ status: 401 });
  });

  test("are refused if the provider's document names another issuer", async () => {
    const liar = await openWith(`${address}/liar`);
    const answered = await ask(await sign({ sub: "x", iss: `${address}/liar` }), liar);
    expect(answered.json).toMatchObject({ status: 503, retryable: true });
    await liar.close();
  });

  test("are answered with 503 while the provider has no keys to send", async () => {
    const keyless = await openWith(`${address}/keyless`);
    const answered = await ask(await sign({ sub: "x", iss: `${address}/keyless` }), keyless);
    expect(answered.json).toMatchObject({ status: 503, retryable: true });
    await keyless.close();
  });

  test("are answered with 503 while the provider does not answer", async () => {
    const away = await openWith("http://127.0.0.1:1");
    const answered = await ask(await sign({ sub: "x" }), away);
    expect(answered.json).toMatchObject({ status: 503 });
    expect(answered.headers.get("retry-after")).toBe("2");
    await away.close();
  });
});
