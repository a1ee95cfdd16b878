import type { FetchFunction } from "#lib/fetch-function.ts";
import type { TokenClaims } from "./claims.ts";

/** What sign-in gives to commands and the dashboard; the modules beside this one fill it. */

/** Where a person goes on with a sign-in: the address, and for another device the code. */
export interface SignInPlace {
  readonly url: string;
  readonly code?: string | undefined;
}

/** Tells a person what to do, in words and as the place itself. */
export type SayWhere = (words: string, place: SignInPlace) => void | Promise<void>;

/** Tokens as an OpenID provider issued them, with the places that may see them again. */
export interface TokenSet {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly idToken?: string | undefined;
  readonly scope?: string | undefined;
  /** RFC 3339. */
  readonly expiresAt: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string | undefined;
  readonly clientId: string;
}

export interface SessionOptions {
  readonly configDirectory: string;
  readonly profile: string;
  /** `{base_url}`; tokens are kept for its origin and never leave for another. */
  readonly baseUrl: string;
  /** `SVC_TOKEN`, for scripts; goes before the stored sign-in. */
  readonly environmentToken?: string | undefined;
  /**
   * False where only the project's `.env.local` names the base URL: `SVC_TOKEN` is then sent only
   * when the token itself was issued by that origin.
   */
  readonly baseUrlTrusted?: boolean | undefined;
  readonly fetch?: FetchFunction | undefined;
  /** Milliseconds since 1970 (default: the clock). */
  readonly now?: (() => number) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whoever is signed in, from local state only (spec 5.4). */
export type SignInState =
  | {
      readonly signedIn: false;
      /** Origins that this profile is signed in to instead. */
      readonly otherOrigins: readonly string[];
    }
  | {
      readonly signedIn: true;
      readonly source: "environment" | "tokens.json";
      readonly claims: TokenClaims;
      /** RFC 3339; absent where the token does not say. */
      readonly expiresAt: string | undefined;
      readonly expired: boolean;
      /** Whether an expired token can be renewed without a browser. */
      readonly renewable: boolean;
    };

export interface Session {
  /**
   * A token that is good for a minute at least: `SVC_TOKEN`, else the stored one, renewed under the
   * lock where needed. Throws E101 when there is none, E102 when it can't be renewed, E103 or E104
   * when the provider refuses, E201 when it can't be reached. Usable as the client's `token`.
   */
  token(rejected?: string): Promise<string>;
  state(): Promise<SignInState>;
}
