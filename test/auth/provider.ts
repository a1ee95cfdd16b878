import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEveryTest } from "#test/support/cleanup.ts";

/**
 * A small OpenID provider that is as strict as a real one: PKCE, one-time codes, rotating refresh
 * tokens with reuse detection, device codes, revocation. Its faults are set by the tests.
 */

const running: { stop(): Promise<void> }[] = [];

afterEveryTest(async () => {
  await Promise.all(running.splice(0).map((provider) => provider.stop()));
});

export interface Faults {
  /** Answers the token endpoint with this instead. */
  token?: (
    form: URLSearchParams,
    count: number,
  ) => Response | undefined | Promise<Response | undefined>;
  /** Rotates, then loses the answer of this many refreshes. */
  loseRefreshAnswers?: number;
  /** Accepts the token before the last one for as long as the test lasts. */
  grace?: boolean;
  issuer?: string;
  nonce?: string;
  methods?: readonly string[];
  /** Sign-in page of another provider, and whether `iss` is announced. */
  signInPage?: string;
  announcesIssuer?: boolean;
  devicePage?: string;
  /** Token endpoint of another origin, which would get the code. */
  tokenEndpoint?: string;
  noDevice?: boolean;
  discovery?: () => Response;
}

export interface TestProvider {
  readonly url: string;
  readonly faults: Faults;
  /** Forms that the token endpoint was sent, in order. */
  readonly tokenRequests: URLSearchParams[];
  readonly revoked: string[];
  readonly authorizations: URLSearchParams[];
  /** Whether the family of refresh tokens was revoked by reuse. */
  familyRevoked(): boolean;
  /** Issues a first refresh token, as after a sign-in. */
  issueRefreshToken(): string;
  confirmDevice(): void;
}

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string;
}

/** An answer whose connection breaks in the middle. */
function cut(): Response {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode("{"));
      await Bun.sleep(5);
      controller.error(new Error("cut"));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
}

export async function startProvider(faults: Faults = {}): Promise<TestProvider> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = await exportJWK(publicKey);
  const codes = new Map<string, Grant>();
  const tokenRequests: URLSearchParams[] = [];
  const revoked: string[] = [];
  const authorizations: URLSearchParams[] = [];
  let current = "";
  let previous = "";
  let familyRevoked = false;
  let deviceConfirmed = false;
  let issued = 0;

  let origin = "";
  const issuer = () => faults.issuer ?? `${origin}/auth`;

  async function tokens(nonce?: string): Promise<Record<string, unknown>> {
    issued += 1;
    previous = current;
    current = `refresh-${issued}`;
    const claims = {
      email: "ada@example.org",
      name: "Ada",
      ...(nonce === undefined ? {} : { nonce }),
    };
    const sign = async (audience: string) =>
      await new SignJWT(claims)
        .setProtectedHeader({ alg: "ES256" })
        .setSubject("user-1")
        .setIssuer(issuer())
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime("1h")
        .sign(privateKey);
    return {
      access_token: `access-${issued}`,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: current,
      id_token: await sign("svc"),
    };
  }

  const refused = (error: string, status = 400) =>
    Response.json({ error, error_description: `${error} by the test` }, { status });

  async function token(form: URLSearchParams): Promise<Response> {
    tokenRequests.push(form);
    const fault = await faults.token?.(form, tokenRequests.length);
    if (fault !== undefined) return fault;
    if (form.get("client_id") !== "svc") return refused("invalid_client", 401);
    switch (form.get("grant_type")) {
      case "authorization_code": {
        const code = form.get("code") ?? "";
        const grant = codes.get(code);
        codes.delete(code);
        const hash = new Bun.CryptoHasher("sha256").update(form.get("code_verifier") ?? "");
        if (grant === undefined || hash.digest("base64url") !== grant.challenge)
          return refused("invalid_grant");
        if (grant.redirectUri !== form.get("redirect_uri")) return refused("invalid_grant");
        return Response.json(await tokens(faults.nonce ?? grant.nonce));
      }
      case "refresh_token": {
        const given = form.get("refresh_token");
        const known = given === current || (faults.grace === true && given === previous);
        if (!known) {
          familyRevoked = true;
          current = "";
        }
        if (familyRevoked) return refused("invalid_grant");
        const answer = Response.json(await tokens());
        if ((faults.loseRefreshAnswers ?? 0) > 0) {
          faults.loseRefreshAnswers = (faults.loseRefreshAnswers ?? 0) - 1;
          return cut();
        }
        return answer;
      }
      case "urn:ietf:params:oauth:grant-type:device_code":
        if (form.get("device_code") !== "device-1") return refused("invalid_grant");
        return deviceConfirmed ? Response.json(await tokens()) : refused("authorization_pending");
      default:
        return refused("unsupported_grant_type");
    }
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    development: false,
    error: () => new Response(null, { status: 500 }),
    async fetch(request): Promise<Response> {
      const url = new URL(request.url);
      const form =
        request.method === "POST"
          ? new URLSearchParams(await request.text())
          : new URLSearchParams();
      switch (url.pathname) {
        case "/auth/.well-known/openid-configuration": {
          if (faults.discovery !== undefined) return faults.discovery();
          const base = `${origin}/auth`;
          return Response.json({
            issuer: issuer(),
            authorization_endpoint: faults.signInPage ?? `${base}/oauth2/v2.0/authorize`,
            authorization_response_iss_parameter_supported: faults.announcesIssuer === true,
            token_endpoint: faults.tokenEndpoint ?? `${base}/oauth2/v2.0/token`,
            revocation_endpoint: `${base}/oauth2/v2.0/revoke`,
            jwks_uri: `${base}/jwks.json`,
            id_token_signing_alg_values_supported: ["ES256"],
            code_challenge_methods_supported: faults.methods ?? ["S256"],
            ...(faults.noDevice === true
              ? {}
              : { device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode` }),
          });
        }
        case "/auth/jwks.json":
          return Response.json({ keys: [jwk] });
        case "/auth/oauth2/v2.0/authorize": {
          authorizations.push(url.searchParams);
          const code = `code-${crypto.randomUUID()}`;
          const redirectUri = url.searchParams.get("redirect_uri") ?? "";
          codes.set(code, {
            challenge: url.searchParams.get("code_challenge") ?? "",
            redirectUri,
            nonce: url.searchParams.get("nonce") ?? "",
          });
          const back = new URL(redirectUri);
          back.searchParams.set("code", code);
          back.searchParams.set("state", url.searchParams.get("state") ?? "");
          return Response.redirect(back.href, 302);
        }
        case "/auth/oauth2/v2.0/token": {
          return await token(form);
        }
        case "/auth/oauth2/v2.0/devicecode":
          return Response.json({
            device_code: "device-1",
            user_code: "WDJB-MJHT",
            verification_uri: faults.devicePage ?? `${origin}/auth/device`,
            expires_in: 60,
            interval: 0.02,
          });
        case "/auth/oauth2/v2.0/revoke":
          revoked.push(form.get("token") ?? "");
          return new Response(null, { status: 200 });
        default:
          return new Response("no", { status: 404 });
      }
    },
  });
  origin = server.url.origin;
  running.push({ stop: async () => await server.stop(true) });
  return {
    url: `${origin}/auth`,
    faults,
    tokenRequests,
    revoked,
    authorizations,
    familyRevoked: () => familyRevoked,
    issueRefreshToken: () => (current = "refresh-0"),
    confirmDevice: () => {
      deviceConfirmed = true;
    },
  };
}
