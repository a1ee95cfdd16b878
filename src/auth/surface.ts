import type { FetchFunction } from "#lib/network/fetch-function.ts";
import type { TokenClaims } from "./claims.ts";

/** The next step of a sign-in: the URL to open, and the code for another device. */
export interface SignInPlace {
  readonly url: string;
  readonly code?: string | undefined;
  /** The time at which the code is no longer taken. */
  readonly endsAtMs?: number | undefined;
}

/** Shows the user the next step. */
export type SayWhere = (words: string, place: SignInPlace) => void | Promise<void>;

/** How a sign-in talks to the user. */
export interface SignInDialog {
  /** Port of the browser's callback (default 0: a free one). */
  readonly callbackPort?: number | undefined;
  /** Longest wait for the browser (default 300,000). */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Shows the URL to open, or the code to enter. */
  readonly say: SayWhere;
  readonly openBrowser: (url: string) => void | Promise<void>;
}

/** Tokens of an OpenID provider, with the endpoints that they may be sent to. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
  readonly scope?: string | undefined;
  /** Time of the expiry (RFC 3339). */
  readonly expiresAt: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly clientId: string;
}

export interface SessionOptions {
  readonly configDirectory: string;
  readonly profile: string;
  /** `{base_url}`; tokens are sent to its origin only. */
  readonly baseUrl: string;
  /** `SVC_TOKEN`, for scripts; takes precedence over the stored sign-in. */
  readonly environmentToken?: string | undefined;
  /**
   * False if only the project's `.env.local` sets the base URL: `SVC_TOKEN` is then sent only if
   * that origin issued it.
   */
  readonly baseUrlTrusted?: boolean | undefined;
  readonly fetch?: FetchFunction | undefined;
  /** True if tokens may cross a network without encryption (default false). */
  readonly insecureHttp?: boolean | undefined;
  /** Milliseconds since 1970 (default: the clock). */
  readonly now?: (() => number) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The state of a sign-in, from local data only (spec 5.4). */
export type SignInState =
  | {
      readonly signedIn: false;
      /** Other origins that this profile is signed in to. */
      readonly otherOrigins: readonly string[];
    }
  | {
      readonly signedIn: true;
      readonly source: "environment" | "tokens.json";
      readonly claims: TokenClaims;
      /** Time of the expiry (RFC 3339). */
      readonly expiresAt: string | undefined;
      readonly expired: boolean;
      /** True if an expired token can be renewed without a browser. */
      readonly renewable: boolean;
    };

export interface Session {
  /**
   * `SVC_TOKEN`, else the stored token, renewed if it expires within a minute. Throws E101 without
   * a token, E102 when it can't be renewed, E103 or E104 when the provider refuses, E201 when it
   * can't be reached. It fits the client's `token` option.
   */
  token(rejected?: string): Promise<string>;
  state(): Promise<SignInState>;
}
