import { Refusal } from "#contract/problems.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { Factors } from "../factors/service.ts";
import { userByOid, type User } from "../identity/service.ts";
import { equalSecrets, randomToken, tokenDigest } from "../secrets/service.ts";
import { activeGrant, insertGrant, revokeGrant, type TokenService } from "../tokens/service.ts";
import { ProtocolError } from "./protocol-error.ts";
import {
  insertRow,
  redeemCode,
  retireRefreshToken,
  rowByHash,
  useRefreshToken,
  type AuthorizationCode,
} from "./store.ts";

const codeLifetimeMs = 60_000;

export interface Approval {
  readonly clientId: string;
  readonly oid: string;
  readonly scope: string;
  readonly signedInAt: string;
}

export interface CodeRequest extends Approval {
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly nonce: string | undefined;
}

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

/** A transaction returns its refusal, since throwing it would undo the revocation. */
interface Refused {
  readonly refusal: ProtocolError;
}

/**
 * Codes and refresh tokens (RFC 6749, 7636, 9700). A code is valid once, and a refresh token until
 * its successor is first used, since the client may have lost the response. A later use, and the
 * use of a second successor, means theft and revokes the grant with all its tokens.
 */
export class Grants {
  constructor(
    private readonly parts: {
      readonly work: Work;
      readonly tokens: TokenService;
      readonly now: () => Date;
      readonly refreshLifetimeMs: number;
      readonly factors: Pick<Factors, "isMissing">;
    },
  ) {}

  async issueCode(request: CodeRequest): Promise<string> {
    const code = randomToken();
    await this.parts.work.write((tx) =>
      insertRow(tx, "authorization_codes", {
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
    /** Undefined only for a client that may do without PKCE. */
    readonly codeVerifier: string | undefined;
  }): Promise<GrantedTokens> {
    const hash = tokenDigest(request.code);
    return this.#grant(async (tx) => {
      const code = await rowByHash(tx, "authorization_codes", hash);
      if (code === undefined) return { refusal: invalidCode() };
      if (code.grant_id !== null) return this.#revoked(tx, code.grant_id, invalidCode());
      const grantId = Bun.randomUUIDv7();
      const isRedeemed =
        isCodeFor(code, request, this.parts.now()) && (await redeemCode(tx, hash, grantId));
      if (!isRedeemed) return { refusal: invalidCode() };
      const { client_id: clientId, oid, scope, signed_in_at: signedInAt } = code;
      const approval = { clientId, oid, scope, signedInAt };
      return this.grantIn(tx, approval, grantId, code.nonce ?? undefined);
    });
  }

  /** Stores a new grant; without a code for a device that was approved. */
  async grantIn(
    tx: Transaction,
    { clientId, oid, scope, signedInAt }: Approval,
    grantId: string = Bun.randomUUIDv7(),
    nonce?: string,
  ): Promise<GrantedTokens> {
    const user = await userByOid(tx, oid);
    if (user === undefined || user.disabled_at !== null) throw invalidCode();
    await insertGrant(tx, {
      id: grantId,
      client_id: clientId,
      oid,
      scope,
      signed_in_at: signedInAt,
      created_at: this.parts.now().toISOString(),
      revoked_at: null,
    });
    const isOffline = scope.split(" ").includes("offline_access");
    const refreshToken = isOffline ? await this.#addRefreshToken(tx, grantId, null) : undefined;
    return { grantId, user, clientId, scope, signedInAt, nonce, refreshToken };
  }

  async refresh(request: {
    readonly refreshToken: string;
    readonly clientId: string;
    readonly scope: string | undefined;
  }): Promise<GrantedTokens> {
    const hash = tokenDigest(request.refreshToken);
    const now = this.parts.now();
    const invalid = new ProtocolError("invalid_grant", "the refresh token is not valid");
    return this.#grant(async (tx) => {
      const token = await rowByHash(tx, "refresh_tokens", hash);
      if (token === undefined) return { refusal: invalid };
      const grant = await activeGrant(tx, token.grant_id);
      if (grant?.client_id !== request.clientId) return { refusal: invalid };
      if (token.expires_at <= now.toISOString()) return { refusal: invalid };
      const scope = request.scope ?? grant.scope;
      if (!includesScopes(grant.scope, scope)) {
        return { refusal: new ProtocolError("invalid_scope", "the scope was not granted") };
      }
      if (token.retired_at !== null) return this.#revoked(tx, grant.id, invalid);
      const isFirst = await useRefreshToken(tx, hash, now.toISOString());
      const parent = isFirst ? token.parent_hash : null;
      if (parent !== null && !(await retireRefreshToken(tx, parent, now.toISOString()))) {
        return this.#revoked(tx, grant.id, invalid);
      }
      const user = await userByOid(tx, grant.oid);
      if (user === undefined || user.disabled_at !== null) return { refusal: invalid };
      if (await this.parts.factors.isMissing(user)) {
        return { refusal: new ProtocolError("invalid_grant", "a second factor is required") };
      }
      return {
        grantId: grant.id,
        user,
        clientId: grant.client_id,
        scope,
        signedInAt: grant.signed_in_at,
        nonce: undefined,
        refreshToken: await this.#addRefreshToken(tx, grant.id, hash),
      };
    });
  }

  /** Revokes the grant of a refresh or access token (RFC 7009); ignores an unknown token. */
  async revoke(token: string, clientId: string): Promise<void> {
    const grantId = await this.#grantOf(token);
    if (grantId === undefined) return;
    await this.parts.work.write(async (tx) => {
      const grant = await activeGrant(tx, grantId);
      if (grant?.client_id !== clientId) return;
      await revokeGrant(tx, grantId, this.parts.now().toISOString());
    });
  }

  async #grantOf(token: string): Promise<string | undefined> {
    const { read } = this.parts.work;
    const refreshToken = await rowByHash(read, "refresh_tokens", tokenDigest(token));
    if (refreshToken !== undefined) return refreshToken.grant_id;
    try {
      const { sid } = await this.parts.tokens.claims(token);
      return typeof sid === "string" ? sid : undefined;
    } catch (error) {
      // A storage that is away must not look like a token that needs no revocation.
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  }

  async #grant(
    unit: (tx: Transaction) => Promise<GrantedTokens | Refused>,
  ): Promise<GrantedTokens> {
    const outcome = await this.parts.work.write(unit);
    if ("refusal" in outcome) throw outcome.refusal;
    return outcome;
  }

  async #revoked(tx: Transaction, grantId: string, refusal: ProtocolError): Promise<Refused> {
    await revokeGrant(tx, grantId, this.parts.now().toISOString());
    return { refusal };
  }

  async #addRefreshToken(
    tx: Transaction,
    grantId: string,
    parentHash: string | null,
  ): Promise<string> {
    const token = randomToken();
    await insertRow(tx, "refresh_tokens", {
      token_hash: tokenDigest(token),
      grant_id: grantId,
      created_at: this.parts.now().toISOString(),
      expires_at: this.#after(this.parts.refreshLifetimeMs),
      parent_hash: parentHash,
      used_at: null,
      retired_at: null,
    });
    return token;
  }

  #after(lifetimeMs: number): string {
    return new Date(this.parts.now().getTime() + lifetimeMs).toISOString();
  }
}

function isCodeFor(
  code: AuthorizationCode,
  request: { clientId: string; redirectUri: string; codeVerifier: string | undefined },
  now: Date,
): boolean {
  return (
    code.expires_at > now.toISOString() &&
    code.client_id === request.clientId &&
    code.redirect_uri === request.redirectUri &&
    isVerified(code.code_challenge, request.codeVerifier)
  );
}

/** A verifier must come with a challenge, and none without one (RFC 9700, 4.8.2). */
function isVerified(challenge: string, verifier: string | undefined): boolean {
  if (verifier === undefined || challenge === "") {
    return verifier === undefined && challenge === "";
  }
  // S256 (RFC 7636, 4.6) is the digest that `tokenDigest` makes, in the same alphabet.
  return equalSecrets(tokenDigest(verifier), challenge);
}

function includesScopes(granted: string, requested: string): boolean {
  const scopes = new Set(granted.split(" "));
  return requested.split(" ").every((scope) => scopes.has(scope));
}

function invalidCode(): ProtocolError {
  return new ProtocolError("invalid_grant", "the authorization code is not valid");
}
