import type { Database, Writer } from "../../database/database.ts";
import { userByOid, type User } from "../identity/service.ts";
import {
  codeByHash,
  insertCode,
  insertRefreshToken,
  redeemCode,
  refreshTokenByHash,
  useRefreshToken,
  type AuthorizationCode,
} from "./store.ts";
import { equalSecrets, randomToken, tokenDigest } from "../secrets/service.ts";
import { activeGrant, insertGrant, revokeGrant, type TokenService } from "../tokens/service.ts";
import { ProtocolError } from "./protocol-error.ts";

const codeLifetimeMs = 60_000;
/** Within this of its first use, a refresh token is good again: the client's answer may be lost. */
const reuseToleranceMs = 10_000;

export interface CodeRequest {
  readonly clientId: string;
  readonly oid: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly nonce: string | undefined;
  readonly scope: string;
  readonly signedInAt: string;
}

/** What the token endpoint hands out for a grant. */
export interface GrantedTokens {
  readonly grantId: string;
  readonly user: User;
  readonly clientId: string;
  readonly scope: string;
  readonly signedInAt: string;
  readonly nonce: string | undefined;
  /** Undefined without the scope `offline_access`. */
  readonly refreshToken: string | undefined;
}

/**
 * Codes and refresh tokens (RFC 6749, 7636, 9700). A code and a refresh token are good once. Using
 * one again, a refresh token some seconds later, is a sign that it was stolen, and ends everything
 * that came from the same sign-in.
 */
export class Grants {
  readonly #database: Database;
  readonly #tokens: TokenService;
  readonly #now: () => Date;
  readonly #refreshLifetimeMs: number;

  constructor(options: {
    database: Database;
    tokens: TokenService;
    now: () => Date;
    refreshLifetimeMs: number;
  }) {
    this.#database = options.database;
    this.#tokens = options.tokens;
    this.#now = options.now;
    this.#refreshLifetimeMs = options.refreshLifetimeMs;
  }

  async issueCode(request: CodeRequest): Promise<string> {
    const code = randomToken();
    await this.#database.write((writer) =>
      insertCode(writer, {
        code_hash: tokenDigest(code),
        client_id: request.clientId,
        oid: request.oid,
        redirect_uri: request.redirectUri,
        code_challenge: request.codeChallenge,
        nonce: request.nonce ?? null,
        scope: request.scope,
        signed_in_at: request.signedInAt,
        expires_at: this.#after(codeLifetimeMs),
        grant_id: null,
      }),
    );
    return code;
  }

  async redeem(request: {
    readonly code: string;
    readonly clientId: string;
    readonly redirectUri: string;
    readonly codeVerifier: string;
  }): Promise<GrantedTokens> {
    const hash = tokenDigest(request.code);
    const outcome = await this.#database.write(async (writer) => {
      const code = await codeByHash(writer, hash);
      if (code === undefined) return "unknown" as const;
      if (code.grant_id !== null) {
        await revokeGrant(writer, code.grant_id, this.#now().toISOString());
        return { revoked: code.grant_id };
      }
      if (!codeFits(code, request, this.#now())) return "unknown" as const;
      const grantId = Bun.randomUUIDv7();
      if (!(await redeemCode(writer, hash, grantId))) return "unknown" as const;
      return { granted: await this.#begin(writer, grantId, code, code.nonce ?? undefined) };
    });
    if (outcome === "unknown") throw invalidCode();
    if ("revoked" in outcome) {
      this.#tokens.forgetGrant(outcome.revoked);
      throw invalidCode();
    }
    return outcome.granted;
  }

  /** A grant that needs no code: a device that was approved. */
  async grantIn(
    writer: Writer,
    approval: {
      readonly clientId: string;
      readonly oid: string;
      readonly scope: string;
      readonly signedInAt: string;
    },
  ): Promise<GrantedTokens> {
    const { clientId, oid, scope, signedInAt } = approval;
    const source = { client_id: clientId, oid, scope, signed_in_at: signedInAt };
    return this.#begin(writer, Bun.randomUUIDv7(), source, undefined);
  }

  async refresh(request: {
    readonly refreshToken: string;
    readonly clientId: string;
    readonly scope: string | undefined;
  }): Promise<GrantedTokens> {
    const hash = tokenDigest(request.refreshToken);
    const now = this.#now();
    const outcome = await this.#database.write(async (writer) => {
      const token = await refreshTokenByHash(writer, hash);
      if (token === undefined) return "unknown" as const;
      const grant = await activeGrant(writer, token.grant_id);
      if (grant?.client_id !== request.clientId) return "unknown" as const;
      if (token.expires_at <= now.toISOString()) return "unknown" as const;
      if (!includesScope(grant.scope, request.scope)) return "scope" as const;
      const isFirst = await useRefreshToken(writer, hash, now.toISOString());
      const usedAt = token.used_at ?? now.toISOString();
      if (!isFirst && now.getTime() - Date.parse(usedAt) > reuseToleranceMs) {
        await revokeGrant(writer, grant.id, now.toISOString());
        return { revoked: grant.id };
      }
      const user = await userByOid(writer, grant.oid);
      if (user === undefined) return "unknown" as const;
      return {
        granted: {
          grantId: grant.id,
          user,
          clientId: grant.client_id,
          scope: request.scope ?? grant.scope,
          signedInAt: grant.signed_in_at,
          nonce: undefined,
          refreshToken: await this.#addRefreshToken(writer, grant.id),
        },
      };
    });
    if (outcome === "scope") throw new ProtocolError("invalid_scope", "the scope was not granted");
    if (outcome === "unknown") throw invalidRefreshToken();
    if ("revoked" in outcome) {
      this.#tokens.forgetGrant(outcome.revoked);
      throw invalidRefreshToken();
    }
    return outcome.granted;
  }

  /** Ends the grant behind a refresh or access token (RFC 7009); an unknown token is no error. */
  async revoke(token: string, clientId: string): Promise<void> {
    const grantId = await this.#grantOf(token);
    if (grantId === undefined) return;
    await this.#database.write(async (writer) => {
      const grant = await activeGrant(writer, grantId);
      if (grant?.client_id !== clientId) return;
      await revokeGrant(writer, grantId, this.#now().toISOString());
    });
    this.#tokens.forgetGrant(grantId);
  }

  async #grantOf(token: string): Promise<string | undefined> {
    const refreshToken = await refreshTokenByHash(this.#database.read, tokenDigest(token));
    if (refreshToken !== undefined) return refreshToken.grant_id;
    try {
      const { sid } = await this.#tokens.claims(token);
      return typeof sid === "string" ? sid : undefined;
    } catch {
      return undefined;
    }
  }

  async #begin(
    writer: Writer,
    grantId: string,
    source: Pick<AuthorizationCode, "client_id" | "oid" | "scope" | "signed_in_at">,
    nonce: string | undefined,
  ): Promise<GrantedTokens> {
    const user = await userByOid(writer, source.oid);
    if (user === undefined) throw invalidCode();
    await insertGrant(writer, {
      id: grantId,
      client_id: source.client_id,
      oid: source.oid,
      scope: source.scope,
      signed_in_at: source.signed_in_at,
      created_at: this.#now().toISOString(),
      revoked_at: null,
    });
    const isOffline = source.scope.split(" ").includes("offline_access");
    return {
      grantId,
      user,
      clientId: source.client_id,
      scope: source.scope,
      signedInAt: source.signed_in_at,
      nonce,
      refreshToken: isOffline ? await this.#addRefreshToken(writer, grantId) : undefined,
    };
  }

  async #addRefreshToken(writer: Writer, grantId: string): Promise<string> {
    const token = randomToken();
    await insertRefreshToken(writer, {
      token_hash: tokenDigest(token),
      grant_id: grantId,
      created_at: this.#now().toISOString(),
      expires_at: this.#after(this.#refreshLifetimeMs),
      used_at: null,
    });
    return token;
  }

  #after(lifetimeMs: number): string {
    return new Date(this.#now().getTime() + lifetimeMs).toISOString();
  }
}

function codeFits(
  code: AuthorizationCode,
  request: { clientId: string; redirectUri: string; codeVerifier: string },
  now: Date,
): boolean {
  return (
    code.expires_at > now.toISOString() &&
    code.client_id === request.clientId &&
    code.redirect_uri === request.redirectUri &&
    // S256 (RFC 7636, 4.6) is the same digest in the same alphabet as our own.
    equalSecrets(tokenDigest(request.codeVerifier), code.code_challenge)
  );
}

function includesScope(granted: string, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  const held = new Set(granted.split(" "));
  return wanted.split(" ").every((scope) => held.has(scope));
}

function invalidCode(): ProtocolError {
  return new ProtocolError("invalid_grant", "the authorization code is not valid");
}

function invalidRefreshToken(): ProtocolError {
  return new ProtocolError("invalid_grant", "the refresh token is not valid");
}
