import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from "jose";
import { createPlatform, type Platform } from "#server/platform.ts";
import { caller, field, testBaseUrl, type Caller } from "./platform.ts";
import type { TestDatabase } from "./postgres.ts";
import { temporaryDirectory } from "./temporary.ts";

/** An OpenID provider that only publishes its keys; the test signs the tokens. */
export interface ExternalProvider {
  readonly issuer: string;
  /** A token of a user, valid for ten minutes; `issuedAt` in seconds. */
  token(claims: JWTPayload & { readonly sub: string }, issuedAt?: number): Promise<string>;
  /** The key that it signs with, and its public half as published. */
  readonly keys: { readonly signing: CryptoKey; readonly published: JWK };
  stop(): Promise<void>;
}

/** Made once for a worker, since it takes a fifth of a second: issuers differ, their keys not. */
let keyPair: ReturnType<typeof generateKeyPair> | undefined;

export async function startExternalProvider(): Promise<ExternalProvider> {
  keyPair ??= generateKeyPair("RS256", { extractable: true });
  const { privateKey, publicKey } = await keyPair;
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { origin, pathname } = new URL(request.url);
      if (pathname === "/.well-known/openid-configuration") {
        return Response.json({ issuer: origin, jwks_uri: `${origin}/keys` });
      }
      if (pathname === "/keys") return Response.json({ keys: [jwk] });
      return new Response(null, { status: 404 });
    },
  });
  const issuer = server.url.origin;
  return {
    issuer,
    keys: { signing: privateKey, published: jwk },
    token(claims, issuedAt = Math.floor(Date.now() / 1000)) {
      return new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "one" })
        .setIssuer(issuer)
        .setAudience("svc-platform")
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + 600)
        .sign(privateKey);
    },
    stop: () => server.stop(true),
  };
}

/** A platform whose users sign in at an external provider. */
export interface ExternalWorld {
  readonly provider: ExternalProvider;
  readonly platform: Platform;
  /** The workspace that {@link ExternalWorld.admin} administers, and another one. */
  readonly workspace: string;
  readonly other: string;
  readonly admin: Caller;
  /** A caller with a new token of a user; `at` is its time of issue in seconds from now. */
  as(sub: string, claims?: Readonly<Record<string, unknown>>, at?: number): Promise<Caller>;
  /** Moves the platform's clock on. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

const adminEmail = "boss@example.org";

export async function createExternalWorld(database: TestDatabase): Promise<ExternalWorld> {
  const provider = await startExternalProvider();
  let aheadMs = 0;
  const platform = await createPlatform({
    dataDirectory: await temporaryDirectory("external"),
    databaseUrl: database.url,
    baseUrl: testBaseUrl,
    authUrl: provider.issuer,
    firstUser: { email: adminEmail },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    now: () => new Date(Date.now() + aheadMs),
    extractionCommand: [],
  });
  const as: ExternalWorld["as"] = async (sub, claims = {}, at = 0) => {
    const issuedAt = Math.floor((Date.now() + aheadMs) / 1000) + at;
    const own = { email: `${sub}@example.org`, name: sub, ...claims };
    const token = await provider.token({ sub, ...own }, issuedAt);
    return caller((request) => platform.fetch(request), token);
  };
  const admin = await as("boss", { email: adminEmail, email_verified: true });
  const root = async (slug: string): Promise<string> => {
    const body = { slug, displayName: slug, homeRegion: "eu", starterTemplate: "empty-template" };
    return String(field((await admin.post("/v4/platform/tenants", body)).json, "id"));
  };
  return {
    provider,
    platform,
    workspace: await root("grouped"),
    other: await root("ungrouped"),
    admin,
    as,
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
    close: async () => {
      await platform.close();
      await provider.stop();
    },
  };
}
