import { catalogError, CatalogError } from "#contract/errors.ts";
import { readClaims, type TokenClaims } from "./claims.ts";
import type { Session, SessionOptions, SignInState, TokenSet } from "./surface.ts";
import { readSignIn, readSignIns, withTokenLock, writeSignIn } from "./token-file.ts";

/** A token that ends sooner than this is renewed first. */
const renewBeforeMs = 60_000;

/**
 * The sign-in of one profile at one platform. Nothing is read before the first question, and the
 * provider's library is loaded only when a token must be renewed.
 */
export function openSession(options: SessionOptions): Session {
  const origin = new URL(options.baseUrl).origin;
  // Read from a file or a command, it often brings its line end along.
  const environmentToken = options.environmentToken?.trim() ?? "";
  return environmentToken === ""
    ? new StoredSession(options, origin)
    : new EnvironmentSession(environmentToken, options, origin);
}

/** `SVC_TOKEN`: for scripts; never stored and never renewed. */
class EnvironmentSession implements Session {
  readonly #token: string;
  readonly #options: SessionOptions;
  readonly #origin: string;
  readonly #claims: TokenClaims;

  constructor(token: string, options: SessionOptions, origin: string) {
    this.#token = token;
    this.#options = options;
    this.#origin = origin;
    this.#claims = readClaims(token);
  }

  async token(rejected?: string): Promise<string> {
    this.#checkOrigin();
    if (rejected === this.#token || this.#expired()) {
      throw runOut(rejected, "SVC_TOKEN has run out: set a new one");
    }
    return this.#token;
  }

  async state(): Promise<SignInState> {
    const { expiresAtSeconds } = this.#claims;
    return {
      signedIn: true,
      source: "environment",
      claims: this.#claims,
      expiresAt:
        expiresAtSeconds === undefined
          ? undefined
          : new Date(expiresAtSeconds * 1000).toISOString(),
      expired: this.#expired(),
      renewable: false,
    };
  }

  #expired(): boolean {
    const { expiresAtSeconds } = this.#claims;
    return expiresAtSeconds !== undefined && expiresAtSeconds * 1000 <= nowMs(this.#options);
  }

  /** A project that one has only cloned may name the address, but must not be handed the token. */
  #checkOrigin(): void {
    if (this.#options.baseUrlTrusted !== false) return;
    const { issuer } = this.#claims;
    if (issuer !== undefined && URL.canParse(issuer) && new URL(issuer).origin === this.#origin) {
      return;
    }
    throw catalogError(
      "E104",
      { details: `SVC_TOKEN was not issued by ${this.#origin}, which only .env.local names` },
      { hint: "Set BASE_URL_PUBLIC_API in the environment if you trust that address" },
    );
  }
}

/** The sign-in in `tokens.json`. */
class StoredSession implements Session {
  readonly #options: SessionOptions;
  readonly #key: { readonly profile: string; readonly origin: string };
  #tokens: TokenSet | undefined;
  #renewal: Promise<string> | undefined;

  constructor(options: SessionOptions, origin: string) {
    this.#options = options;
    this.#key = { profile: options.profile, origin };
  }

  async token(rejected?: string): Promise<string> {
    this.#tokens ??= await readSignIn(this.#options.configDirectory, this.#key);
    const tokens = this.#tokens;
    if (tokens === undefined) throw await this.#notSignedIn();
    if (this.#fresh(tokens, rejected)) return tokens.accessToken;
    // Calls of one process that meet the same expired token wait for one renewal.
    this.#renewal ??= this.#renew(rejected).finally(() => {
      this.#renewal = undefined;
    });
    return await this.#renewal;
  }

  async state(): Promise<SignInState> {
    const signIns = await readSignIns(this.#options.configDirectory);
    const own = signIns.filter((signIn) => signIn.profile === this.#key.profile);
    const tokens = own.find((signIn) => signIn.origin === this.#key.origin)?.tokens;
    if (tokens === undefined) {
      return { signedIn: false, otherOrigins: own.map((signIn) => signIn.origin) };
    }
    return {
      signedIn: true,
      source: "tokens.json",
      claims: claimsOf(tokens),
      expiresAt: tokens.expiresAt,
      expired: Date.parse(tokens.expiresAt) <= nowMs(this.#options),
      renewable: tokens.refreshToken !== undefined,
    };
  }

  #fresh(tokens: TokenSet, rejected: string | undefined): boolean {
    if (tokens.accessToken === rejected) return false;
    return Date.parse(tokens.expiresAt) - nowMs(this.#options) > renewBeforeMs;
  }

  async #renew(rejected: string | undefined): Promise<string> {
    const { configDirectory, signal } = this.#options;
    return await withTokenLock(
      configDirectory,
      async () => {
        // Another process may have renewed, or signed out, while this one waited.
        const tokens = await readSignIn(configDirectory, this.#key);
        this.#tokens = tokens;
        if (tokens === undefined) throw await this.#notSignedIn();
        if (this.#fresh(tokens, rejected)) return tokens.accessToken;
        try {
          return await this.#exchange(tokens, rejected);
        } catch (error) {
          // With the provider away, what is left of the token's last minute still works.
          const unreachable = error instanceof CatalogError && error.code === "E201";
          const alive = Date.parse(tokens.expiresAt) > nowMs(this.#options);
          if (unreachable && alive && tokens.accessToken !== rejected) return tokens.accessToken;
          throw error;
        }
      },
      signal,
    );
  }

  async #exchange(tokens: TokenSet, rejected: string | undefined): Promise<string> {
    if (tokens.refreshToken === undefined) throw runOut(rejected);
    const { renewTokens } = await import("./refresh.ts");
    const { configDirectory, fetch, signal } = this.#options;
    // A full or read-only disk must show before the old refresh token is used up.
    await writeSignIn(configDirectory, this.#key, tokens);
    const renewed = await renewTokens(tokens, { fetch, signal }, nowMs(this.#options));
    this.#tokens = renewed === "ended" ? { ...tokens, refreshToken: undefined } : renewed;
    await writeSignIn(configDirectory, this.#key, this.#tokens);
    if (renewed === "ended") throw runOut(rejected);
    return renewed.accessToken;
  }

  async #notSignedIn(): Promise<CatalogError> {
    const state = await this.state();
    const others = state.signedIn ? [] : state.otherOrigins;
    if (others.length === 0) return catalogError("E101");
    return catalogError(
      "E101",
      {},
      { hint: `Signed in to ${others.join(", ")}, but not to ${this.#key.origin}` },
    );
  }
}

/** E102; with the platform's own status where it was the platform that refused the token (spec 5, 7). */
function runOut(rejected: string | undefined, hint?: string): CatalogError<"E102"> {
  const status = rejected === undefined ? {} : { status: 401 };
  return catalogError("E102", {}, { ...status, ...(hint === undefined ? {} : { hint }) });
}

/** What the ID token says about the user, and the access token where there is none. */
function claimsOf(tokens: TokenSet): TokenClaims {
  const access = readClaims(tokens.accessToken);
  if (tokens.idToken === undefined) return access;
  const identity = readClaims(tokens.idToken);
  return {
    subject: identity.subject ?? access.subject,
    email: identity.email ?? access.email,
    name: identity.name ?? access.name,
    issuer: identity.issuer ?? access.issuer,
    expiresAtSeconds: access.expiresAtSeconds,
  };
}

function nowMs(options: SessionOptions): number {
  return options.now?.() ?? Date.now();
}
