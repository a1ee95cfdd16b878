import { authPath, signInPaths } from "#contract/sign-in.ts";
import { FormError, readForm } from "../../../http/body/urlencoded-form.ts";
import type { Exchange } from "../../../http/exchange.ts";
import type { GrantedTokens } from "../grants.ts";
import { ProtocolError } from "../protocol-error.ts";
import type { SignInService } from "../service.ts";
import { scopesKnown } from "./authorize.ts";
import { findClient, type Client } from "./clients.ts";
import { grantTypes } from "./metadata.ts";

type Form = ReadonlyMap<string, string>;

/** The endpoints that programs talk to: token, device authorization, revocation (RFC 6749 to 8628). */
export class TokenEndpoints {
  readonly #signIn: SignInService;

  constructor(signIn: SignInService) {
    this.#signIn = signIn;
  }

  token(exchange: Exchange): Promise<Response> {
    return answered(exchange, async (form) => {
      const client = clientOf(form);
      const granted = await this.#grant(form, client);
      return noStore(await this.#tokensFor(exchange, granted));
    });
  }

  deviceAuthorization(exchange: Exchange): Promise<Response> {
    return answered(exchange, async (form) => {
      const client = clientOf(form);
      const scope = form.get("scope") ?? "openid";
      if (!scopesKnown(client, scope)) {
        throw new ProtocolError("invalid_scope", "a scope is not known here");
      }
      const device = await this.#signIn.devices.begin(client.id, scope);
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

  /** RFC 7009: an unknown token is answered as a revoked one, so nothing can be found out. */
  revocation(exchange: Exchange): Promise<Response> {
    return answered(exchange, async (form) => {
      const client = clientOf(form);
      await this.#signIn.grants.revoke(required(form, "token"), client.id);
      return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
    });
  }

  async #grant(form: Form, client: Client): Promise<GrantedTokens> {
    const { grants, devices } = this.#signIn;
    switch (form.get("grant_type")) {
      case grantTypes.code:
        return grants.redeem({
          code: required(form, "code"),
          clientId: client.id,
          redirectUri: required(form, "redirect_uri"),
          codeVerifier: verifier(form),
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
        throw new ProtocolError("unsupported_grant_type", "the grant type is not known here");
    }
  }

  async #tokensFor(
    exchange: Exchange,
    granted: GrantedTokens,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { tokens, limits } = this.#signIn;
    const issuer = exchange.baseUrl + authPath;
    const lifetimeMs = limits.accessTokenSeconds * 1000;
    const { user, clientId, scope, grantId, signedInAt, nonce } = granted;
    const access = await tokens.issueAccessToken({
      issuer,
      user,
      lifetimeMs,
      scope,
      clientId,
      grantId,
    });
    const isOpenId = scope.split(" ").includes("openid");
    return {
      access_token: access.token,
      token_type: "Bearer",
      expires_in: limits.accessTokenSeconds,
      scope,
      ...(granted.refreshToken === undefined ? {} : { refresh_token: granted.refreshToken }),
      ...(isOpenId
        ? {
            id_token: await tokens.issueIdToken({
              issuer,
              user,
              clientId,
              signedInAt,
              nonce,
              lifetimeMs,
            }),
          }
        : {}),
    };
  }
}

async function answered(
  exchange: Exchange,
  work: (form: Form) => Promise<Response>,
): Promise<Response> {
  try {
    return await work(await readForm(exchange.request));
  } catch (error) {
    if (error instanceof FormError) return refusal("invalid_request", error.message);
    if (error instanceof ProtocolError) return refusal(error.code, error.message);
    throw error;
  }
}

function refusal(code: string, description: string): Response {
  const status = code === "invalid_client" ? 401 : 400;
  return noStore({ error: code, error_description: description }, status);
}

function noStore(body: Readonly<Record<string, unknown>>, status = 200): Response {
  return Response.json(body, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

function clientOf(form: Form): Client {
  const client = findClient(form.get("client_id"));
  if (client === undefined) {
    throw new ProtocolError("invalid_client", "the application is not known here");
  }
  return client;
}

function required(form: Form, name: string): string {
  const value = form.get(name);
  if (value !== undefined && value !== "") return value;
  throw new ProtocolError("invalid_request", `${name} is missing`);
}

/** RFC 7636, 4.1: 43 to 128 characters of the unreserved set. */
function verifier(form: Form): string {
  const value = required(form, "code_verifier");
  if (/^[\w.~-]{43,128}$/.test(value)) return value;
  throw new ProtocolError("invalid_request", "code_verifier is not of the wanted form");
}
