import { compactVerify, jwtVerify, type JWTPayload } from "jose";
import { serviceKeyPrefix, tokenAudience } from "#contract/access/sign-in.ts";
import { ChangeCount } from "../../kit/change-count.ts";
import { chained, type Promisable } from "../../kit/promisable.ts";
import { StorageError } from "../../kit/storage-errors.ts";
import { RecentMap } from "../../kit/recent-map.ts";
import { everySubject } from "../../work/change-event.ts";
import type { ChangeFeed } from "../../work/change-feed.ts";
import type { Principal } from "../../work/caller.ts";
import type { PlatformWork } from "../../work/works.ts";
import {
  invalidToken,
  presentUser,
  type ExternalIdentity,
  type User,
} from "../identity/service.ts";
import type { AccessService, ServiceKeys } from "../members/service.ts";
import type { ExternalIssuer } from "./external-issuer.ts";
import { accessTokenType, appClaim, idTokenType, TokenIssuer } from "./issuer.ts";
import { expiredToken, tokenFailure } from "./refusals.ts";
import { tokenAlgorithm, type SigningKeys } from "./signing-keys.ts";
import { activeGrant } from "./grants.ts";

export { tokenAlgorithm } from "./signing-keys.ts";
export {
  activeGrant,
  activeGrantsOf,
  insertGrant,
  noteGrantUse,
  revokeGrant,
  revokeGrantsOf,
  revokeGrantsOfClient,
  type Grant,
} from "./grants.ts";

/** Characters of the verified tokens that are kept: 4,000 of the longest tokens. */
const maximumKeptCharacters = 4_000 * 8_192;
/**
 * Another provider's token is verified again after this time, since only it knows of changes. A key
 * is found again, which notes its use.
 */
const keptMs = 60_000;
/** The clocks of two platforms may differ by this much. */
const clockToleranceSeconds = 10;

/** A verified token's content, kept under the token itself: a digest would slow each request. */
export interface Verified {
  readonly oid: string;
  /** A key of a service account; `oid` is its id. */
  readonly isKey?: boolean;
  readonly grantId: string | undefined;
  /** The workspace of the app that the token was issued to. */
  readonly appWorkspaceId?: string | undefined;
  /** The account's generation of tokens; undefined for another provider's token. */
  readonly generation: number | undefined;
  readonly expiresAtMs: number;
  /** The time until which a key or another provider's token is not verified again. */
  readonly keptUntilMs?: number;
}

/** Users and keys by id, kept in memory. */
export type PrincipalSource = Pick<AccessService, "user" | "key">;
type ServiceKey = Awaited<ReturnType<PrincipalSource["key"]>>;

export function verifiedTokens(): RecentMap<string, Verified> {
  return new RecentMap(maximumKeptCharacters, { weightOf: (_verified, token) => token.length });
}

export interface IdTokenHint {
  readonly oid: string;
  readonly clientId: string;
}

export interface TokenServiceOptions {
  readonly platformWork: PlatformWork;
  /** Reports grants that were revoked, by any platform. */
  readonly feed: ChangeFeed;
  readonly keys: SigningKeys;
  readonly access: PrincipalSource;
  readonly serviceKeys: Pick<ServiceKeys, "find">;
  readonly now: () => Date;
  /** Each revocation raises it, for other threads that keep tokens. */
  readonly revocations?: ChangeCount;
  /** True if the platform's own tokens may have this `iss`. */
  readonly acceptsIssuer: (issuer: string) => boolean;
  /** Set if another provider signs users in; the platform's own tokens are refused then. */
  readonly external?: {
    readonly issuer: ExternalIssuer;
    userOf(identity: ExternalIdentity): Promise<User>;
  };
}

/** Issues and verifies tokens; a verified one is kept in memory. */
export class TokenService extends TokenIssuer {
  readonly #verified = verifiedTokens();
  /** A token that was verified before a revocation must not be kept after it. */
  readonly #revocations: ChangeCount;

  constructor(private readonly options: TokenServiceOptions) {
    super(options.keys, options.now);
    this.#revocations = options.revocations ?? new ChangeCount();
    options.feed.listen({
      changed: ({ kind, subject }) => {
        if (kind === "grant") this.#forgetGrant(subject);
      },
      missed: () => this.#forgetGrant(everySubject),
    });
  }

  /** The token's user; throws 401. A kept token is answered without waiting. */
  verify(token: string): Promisable<Principal> {
    const { feed } = this.options;
    return feed.isCurrent ? this.#verify(token) : feed.catchUp().then(() => this.#verify(token));
  }

  #verify(token: string): Promisable<Principal> {
    const now = this.options.now().getTime();
    const kept = this.#verified.get(token);
    if (kept === undefined) return this.#verifyFirst(token);
    if (kept.expiresAtMs <= now) {
      this.#verified.delete(token);
      throw expiredToken();
    }
    if (kept.keptUntilMs !== undefined && kept.keptUntilMs <= now) return this.#verifyFirst(token);
    return keptPrincipal(this.options.access, kept);
  }

  /** The kept content of a verified token; undefined if it is not kept. */
  known(token: string): Verified | undefined {
    return this.#verified.get(token);
  }

  /** The claims of one of the platform's access tokens; its grant may have been revoked. */
  async claims(token: string): Promise<JWTPayload> {
    const { acceptsIssuer, now } = this.options;
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, {
        algorithms: [tokenAlgorithm],
        typ: accessTokenType,
        audience: tokenAudience,
        requiredClaims: ["iss", "sub", "exp", "iat"],
        currentDate: now(),
        clockTolerance: clockToleranceSeconds,
      });
      // The tolerance is for tokens of another platform, whose clock may be ahead.
      if ((payload.exp ?? 0) * 1000 <= now().getTime()) throw expiredToken();
      if (payload.iss === undefined || !acceptsIssuer(payload.iss)) throw invalidToken();
      return payload;
    } catch (error) {
      throw tokenFailure(error);
    }
  }

  /**
   * The user and the client of one of the platform's ID tokens, which may have expired (OpenID
   * Connect RP-Initiated Logout, 2); undefined for any other text.
   */
  async idTokenHint(token: string): Promise<IdTokenHint | undefined> {
    const { acceptsIssuer } = this.options;
    try {
      const { payload, protectedHeader } = await compactVerify(token, this.#publicKey, {
        algorithms: [tokenAlgorithm],
      });
      const claims = JSON.parse(new TextDecoder().decode(payload)) as JWTPayload;
      const { aud, iss, sub } = claims;
      const isOwn = protectedHeader.typ === idTokenType && iss !== undefined && acceptsIssuer(iss);
      if (!isOwn || typeof aud !== "string" || sub === undefined) return undefined;
      return { oid: sub, clientId: aud };
    } catch (error) {
      if (error instanceof StorageError) throw error;
      return undefined;
    }
  }

  readonly #publicKey = async ({ kid }: { readonly kid?: string }) => {
    const key = await this.options.keys.publicKey(kid);
    if (key === undefined) throw invalidToken();
    return key;
  };

  /** The access tokens of a revoked grant are verified again. */
  #forgetGrant(id: string): void {
    this.#verified.deleteWhere(({ grantId }) => grantId === id || id === everySubject);
    this.#revocations.raise();
  }

  async #verifyFirst(token: string): Promise<Principal> {
    const { access, platformWork, external, now } = this.options;
    if (token.startsWith(serviceKeyPrefix)) return this.#verifyKey(token);
    if (external !== undefined) {
      const identity = await external.issuer.verify(token);
      const user = await external.userOf(identity);
      const { expiresAtMs } = identity;
      const keptUntilMs = now().getTime() + keptMs;
      this.#verified.set(token, {
        oid: user.oid,
        grantId: undefined,
        generation: undefined,
        expiresAtMs,
        keptUntilMs,
      });
      return principalOf(user);
    }
    const before = this.#revocations.value;
    const { sub = "", exp = 0, sid, gen, [appClaim]: app } = await this.claims(token);
    const generation = typeof gen === "number" ? gen : 0;
    const grantId = typeof sid === "string" ? sid : undefined;
    if (grantId !== undefined) {
      const grant = await activeGrant(platformWork("the grant of a token").read, grantId);
      if (grant === undefined) throw invalidToken();
    }
    const appWorkspaceId = typeof app === "string" ? app : undefined;
    const origin = { generation, grantId, appWorkspaceId };
    const principal = principalOf(await access.user(sub), origin);
    if (before !== this.#revocations.value) return principal;
    this.#verified.set(token, { oid: sub, ...origin, expiresAtMs: exp * 1000 });
    return principal;
  }

  /** A kept token of a revoked key is refused at once, since the access forgets the key. */
  async #verifyKey(token: string): Promise<Principal> {
    const { now, serviceKeys } = this.options;
    const key = await serviceKeys.find(token);
    const principal = keyPrincipal(key);
    const expiresAtMs = endOfKey(key);
    if (expiresAtMs <= now().getTime()) throw expiredToken();
    this.#verified.set(token, {
      oid: principal.oid,
      isKey: true,
      grantId: undefined,
      generation: undefined,
      expiresAtMs,
      keptUntilMs: now().getTime() + keptMs,
    });
    return principal;
  }
}

/**
 * The caller as handlers get it; throws 401 for a user that is disabled or no longer exists, and
 * for a token of an earlier generation.
 */
function principalOf(
  user: User | undefined,
  origin: Partial<Pick<Verified, "generation" | "grantId" | "appWorkspaceId">> = {},
): Principal {
  const present = presentUser(user);
  const { generation, grantId: sessionId, appWorkspaceId } = origin;
  const { oid, email, display_name: displayName, system_admin } = present;
  if (generation !== undefined && generation < Number(present.token_generation)) {
    throw invalidToken();
  }
  // An app acts in its workspaces, never for the installation.
  const systemAdmin = system_admin === 1 && appWorkspaceId === undefined;
  return { oid, email, displayName, systemAdmin, sessionId, appWorkspaceId };
}

/** The caller of a kept token; throws 401 for one that has lost its account or its key. */
export function keptPrincipal(source: PrincipalSource, kept: Verified): Promisable<Principal> {
  if (kept.isKey === true) return chained(source.key(kept.oid), keyPrincipal);
  return chained(source.user(kept.oid), (user) => principalOf(user, kept));
}

function keyPrincipal(key: ServiceKey): Principal {
  if (key === undefined) throw invalidToken();
  return { oid: key.id, email: "", displayName: key.name, systemAdmin: false, isKey: true };
}

function endOfKey(key: ServiceKey): number {
  const end = key?.expires_at ?? null;
  return end === null ? Number.MAX_SAFE_INTEGER : Date.parse(end);
}
