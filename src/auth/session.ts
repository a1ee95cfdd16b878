import { catalogError, CatalogError } from "#contract/errors.ts";
import { readClaims, type TokenClaims } from "./claims.ts";
import type * as TokenFile from "./token-file.ts";
import type { Session, SessionOptions, SignInState, TokenSet } from "./surface.ts";

/** A token with a shorter remaining lifetime is renewed first. */
const renewBeforeMs = 60_000;

/** The sign-in of one profile at one platform. It reads nothing before the first call. */
export function openSession(options: SessionOptions): Session {
  const origin = new URL(options.baseUrl).origin;
  // A token from a file or a command often has a line end.
  const environmentToken = options.environmentToken?.trim() ?? "";
  return environmentToken === ""
    ? new StoredSession(options, origin)
    : environmentSession(environmentToken, options, origin);
}

/** The session of `SVC_TOKEN`: never stored and never renewed. */
function environmentSession(token: string, options: SessionOptions, origin: string): Session {
  const claims = readClaims(token);
  const { expiresAtSeconds, issuer } = claims;
  const expiresAtMs = expiresAtSeconds === undefined ? undefined : expiresAtSeconds * 1000;
  const isExpired = () => expiresAtMs !== undefined && expiresAtMs <= nowMs(options);
  return {
    token: async (rejected) => {
      // A cloned project may set the base URL, but must not receive the token.
      if (options.baseUrlTrusted === false && URL.parse(issuer ?? "")?.origin !== origin) {
        throw catalogError(
          "E104",
          { details: `SVC_TOKEN was not issued by ${origin}, which is set only in .env.local` },
          { hint: "Set BASE_URL_PUBLIC_API in the environment if you trust that address" },
        );
      }
      if (rejected !== token && !isExpired()) return token;
      throw expiredError(rejected, "SVC_TOKEN has expired: set a new one");
    },
    state: async () => ({
      signedIn: true,
      source: "environment",
      claims,
      expiresAt: expiresAtMs === undefined ? undefined : new Date(expiresAtMs).toISOString(),
      expired: isExpired(),
      renewable: false,
    }),
  };
}

/** A call with `SVC_TOKEN` needs no file, so it does not load what reads and locks it. */
async function tokenFile(): Promise<typeof TokenFile> {
  return await import("./token-file.ts");
}

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
    this.#tokens ??= await (await tokenFile()).readSignIn(this.#options.configDirectory, this.#key);
    const tokens = this.#tokens;
    if (tokens === undefined) throw await this.#notSignedIn();
    if (this.#fresh(tokens, rejected)) return tokens.accessToken;
    // Concurrent calls wait for the same renewal.
    this.#renewal ??= this.#renew(rejected).finally(() => {
      this.#renewal = undefined;
    });
    return await this.#renewal;
  }

  async state(): Promise<SignInState> {
    const { readSignIns } = await tokenFile();
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
    const { readSignIn, withTokenLock } = await tokenFile();
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
          // The token works until it expires, even while the provider is unreachable.
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
    if (tokens.refreshToken === undefined) throw expiredError(rejected);
    const [{ renewTokens }, { writeSignIn }] = await Promise.all([
      import("./refresh.ts"),
      tokenFile(),
    ]);
    const { configDirectory, fetch, insecureHttp, signal } = this.#options;
    // A full or read-only disk must fail before the old refresh token is used.
    await writeSignIn(configDirectory, this.#key, tokens);
    const renewed = await renewTokens(
      tokens,
      { fetch, insecureHttp, signal },
      nowMs(this.#options),
    );
    this.#tokens = renewed === "ended" ? { ...tokens, refreshToken: undefined } : renewed;
    await writeSignIn(configDirectory, this.#key, this.#tokens);
    if (renewed === "ended") throw expiredError(rejected);
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

/** E102; with status 401 if the platform refused the token (spec 5, 7). */
function expiredError(rejected: string | undefined, hint?: string): CatalogError<"E102"> {
  return catalogError("E102", {}, { status: rejected === undefined ? undefined : 401, hint });
}

/** The claims of the ID token, completed from the access token. */
function claimsOf(tokens: TokenSet): TokenClaims {
  const access = readClaims(tokens.accessToken);
  const identity = readClaims(tokens.idToken ?? "");
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
