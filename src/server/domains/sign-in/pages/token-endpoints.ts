import { authPath, signInPaths } from "#contract/access/sign-in.ts";
import { FormError, readForm } from "../../../http/body/urlencoded-form.ts";
import { parseJson, readBytes, requireJson } from "../../../http/body/read-body.ts";
import type { Exchange } from "../../../http/exchange.ts";
import { registeredAgent } from "../agent-clients.ts";
import { authenticatedClient, isScopeAllowed, type Client } from "../clients.ts";
import { grantTypes } from "../discovery.ts";
import type { GrantedTokens } from "../grants.ts";
import { ProtocolError } from "../protocol-error.ts";
import type { SignInService } from "../service.ts";

const maximumRegistrationBytes = 16 * 1024;

type Form = ReadonlyMap<string, string>;

/** The endpoints for programs: token, device authorization, revocation, registration. */
export class TokenEndpoints {
  constructor(private readonly signIn: SignInService) {}

  token(exchange: Exchange): Promise<Response> {
    return this.#answered(exchange, async (form, client) => {
      const granted = await this.#grant(form, client);
      await this.signIn.noteUse(granted.grantId, exchange.headers.get("user-agent"));
      const { tokens, limits } = this.signIn;
      const expiresInSeconds = limits.accessTokenSeconds;
      const request = {
        ...granted,
        issuer: exchange.baseUrl + authPath,
        lifetimeMs: expiresInSeconds * 1000,
        appWorkspaceId: client.workspaceId,
      };
      const isOpenId = granted.scope.split(" ").includes("openid");
      // JSON leaves out what is undefined.
      return noStore({
        access_token: (await tokens.issueAccessToken(request)).token,
        token_type: "Bearer",
        expires_in: expiresInSeconds,
        scope: granted.scope,
        refresh_token: granted.refreshToken,
        id_token: isOpenId ? await tokens.issueIdToken(request) : undefined,
      });
    });
  }

  deviceAuthorization(exchange: Exchange): Promise<Response> {
    return this.#answered(exchange, async (form, client) => {
      requireGrantType(client, grantTypes.device);
      const scope = form.get("scope") ?? "openid";
      if (!isScopeAllowed(client, scope)) {
        throw new ProtocolError("invalid_scope", "a scope is unknown");
      }
      const device = await this.signIn.devices.begin(client.id, scope);
      const address = exchange.baseUrl + authPath + signInPaths.device;
      return noStore({
        device_code: device.deviceCode,
        user_code: device.userCode,
        verification_uri: address,
        verification_uri_complete: `${address}?user_code=${device.userCode}`,
        expires_in: device.expiresInSeconds,
        interval: device.intervalSeconds,
      });
    });
  }

  /** RFC 7009: the response to an unknown token is the same, so that callers cannot probe. */
  revocation(exchange: Exchange): Promise<Response> {
    return this.#answered(exchange, async (form, client) => {
      await this.signIn.grants.revoke(required(form, "token"), client.id);
      return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
    });
  }

  async registration({ request }: Exchange): Promise<Response> {
    try {
      requireJson(request);
      const body = parseJson(await readBytes(request, maximumRegistrationBytes));
      return noStore(registeredAgent(body), 201);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return noStore({ error: error.code, error_description: error.message }, 400);
    }
  }

  async #grant(form: Form, client: Client): Promise<GrantedTokens> {
    const { grants, devices } = this.signIn;
    const type = form.get("grant_type");
    if (type !== undefined) requireGrantType(client, type);
    switch (type) {
      case grantTypes.code:
        return grants.redeem({
          code: required(form, "code"),
          clientId: client.id,
          redirectUri: required(form, "redirect_uri"),
          codeVerifier: verifier(form, client),
        });
      case grantTypes.refresh:
        return grants.refresh({
          refreshToken: required(form, "refresh_token"),
          clientId: client.id,
          scope: form.get("scope"),
        });
      case grantTypes.device:
        return devices.redeem(required(form, "device_code"), client.id);
      default:
        throw new ProtocolError("unsupported_grant_type", "the grant type is not supported");
    }
  }

  async #answered(
    exchange: Exchange,
    work: (form: Form, client: Client) => Promise<Response>,
  ): Promise<Response> {
    const authorization = exchange.headers.get("authorization");
    try {
      const form = await readForm(exchange.request);
      return await work(form, await authenticatedClient(this.signIn.apps, form, authorization));
    } catch (error) {
      if (!(error instanceof FormError || error instanceof ProtocolError)) throw error;
      const code = error instanceof ProtocolError ? error.code : "invalid_request";
      const status = code === "invalid_client" ? 401 : 400;
      const response = noStore({ error: code, error_description: error.message }, status);
      // The header follows RFC 6749, 5.2.
      if (status === 401 && authorization !== null) {
        response.headers.set("www-authenticate", 'Basic realm="svc"');
      }
      return response;
    }
  }
}

function requireGrantType(client: Client, type: string): void {
  const isKnown = Object.values<string>(grantTypes).includes(type);
  if (!isKnown || client.grantTypes.includes(type)) return;
  throw new ProtocolError("unauthorized_client", "this client may not use the grant type");
}

function noStore(body: Readonly<Record<string, unknown>>, status = 200): Response {
  return Response.json(body, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value !== undefined && value !== "") return value;
  throw new ProtocolError("invalid_request", `${name} is required`);
}

/** The code verifier of the form (RFC 7636, 4.1). */
function verifier(form: Form, { needsPkce }: Client): string | undefined {
  if (!needsPkce && !form.has("code_verifier")) return undefined;
  const value = required(form, "code_verifier");
  if (/^[\w.~-]{43,128}$/.test(value)) return value;
  const expected = "43 to 128 letters, digits and the characters - . _ ~";
  throw new ProtocolError("invalid_request", `code_verifier must be ${expected}`);
}
