import { createServer } from "node:http";
import { Provider } from "oidc-provider";

/** An OpenID provider that is not ours, as an operator would set it up for a platform. */
export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The bodies of the requests to its token endpoint and its revocation endpoint, by path. */
  readonly calls: { readonly path: string; readonly form: URLSearchParams }[];
}

export const foreignClientId = "the-command";
export const foreignScope = "records";
export const foreignAudience = "api://records";

/** The library `oidc-provider` on loopback, with its own pages for sign-in and consent. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const calls: OidcProvider["calls"] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const issuer = `http://127.0.0.1:${address.port}`;
  const claimsOf = (id: string) => {
    const email = `${id}@example.org`;
    return { sub: id, name: id, email, email_verified: true, groups: ["planners"] };
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: foreignClientId,
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: [
          "authorization_code",
          "refresh_token",
          "urn:ietf:params:oauth:grant-type:device_code",
        ],
      },
    ],
    scopes: ["openid", "offline_access"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: {
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => "urn:records",
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: foreignScope,
          audience: foreignAudience,
          accessTokenFormat: "jwt",
        }),
      },
    },
    issueRefreshToken: (_context, client) => client.grantTypeAllowed("refresh_token"),
    extraTokenClaims: (_context, token) =>
      "accountId" in token ? claimsOf(String(token.accountId)) : undefined,
    findAccount: (_context, id) => ({ accountId: id, claims: () => claimsOf(id) }),
  });
  provider.use(async (context, next) => {
    await next();
    const body: unknown = context.oidc?.body;
    if (context.method !== "POST" || typeof body !== "object" || body === null) return;
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(body)) form.set(name, String(value));
    calls.push({ path: context.path, form });
  });
  server.on("request", provider.callback());
  return {
    issuer,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
