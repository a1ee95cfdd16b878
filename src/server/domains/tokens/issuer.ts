import { SignJWT, type JWTPayload } from "jose";
import { tokenAudience } from "#contract/access/sign-in.ts";
import { given } from "#lib/given.ts";
import type { User } from "../identity/service.ts";
import { tokenAlgorithm, type SigningKeys } from "./signing-keys.ts";

/** The claim of an app's workspace, a private one (RFC 7519, 4.3). */
export const appClaim = "app_workspace";
export const accessTokenType = "at+jwt";
export const idTokenType = "JWT";

export interface AccessTokenRequest {
  readonly issuer: string;
  readonly user: Pick<User, "oid" | "email" | "display_name" | "token_generation">;
  readonly lifetimeMs: number;
  readonly scope: string;
  readonly clientId: string;
  /** The token ends when this grant is revoked. */
  readonly grantId?: string;
  /** Limits the token to this workspace and its children. */
  readonly appWorkspaceId?: string | undefined;
}

/** Issues access tokens, JWTs signed with ES256 (RFC 9068), and ID tokens. */
export class TokenIssuer {
  constructor(
    readonly keys: SigningKeys,
    protected readonly now: () => Date,
  ) {}

  async issueAccessToken(request: AccessTokenRequest): Promise<{ token: string; expiresAt: Date }> {
    const now = this.now().getTime();
    const issuedAt = Math.floor(now / 1000);
    const expiresAt = Math.floor((now + request.lifetimeMs) / 1000);
    const token = await this.#sign(accessTokenType, {
      ...userClaims(request),
      aud: tokenAudience,
      scope: request.scope,
      client_id: request.clientId,
      iat: issuedAt,
      nbf: issuedAt,
      exp: expiresAt,
      jti: crypto.randomUUID(),
      gen: request.user.token_generation,
      ...given({ sid: request.grantId, [appClaim]: request.appWorkspaceId }),
    });
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }

  /** An ID token for the client (OpenID Connect Core, 2). */
  async issueIdToken(
    request: Omit<AccessTokenRequest, "scope" | "grantId"> & {
      readonly signedInAt: string;
      readonly nonce: string | undefined;
    },
  ): Promise<string> {
    const now = Math.floor(this.now().getTime() / 1000);
    return this.#sign(idTokenType, {
      ...userClaims(request),
      aud: request.clientId,
      auth_time: Math.floor(Date.parse(request.signedInAt) / 1000),
      iat: now,
      exp: now + Math.floor(request.lifetimeMs / 1000),
      ...given({ nonce: request.nonce }),
    });
  }

  async #sign(type: string, payload: JWTPayload): Promise<string> {
    const { kid, key } = await this.keys.signer();
    return new SignJWT(payload)
      .setProtectedHeader({ alg: tokenAlgorithm, kid, typ: type })
      .sign(key);
  }
}

function userClaims({ issuer, user }: Pick<AccessTokenRequest, "issuer" | "user">): JWTPayload {
  const { oid, email, display_name: name } = user;
  return { iss: issuer, sub: oid, oid, email, name };
}
