import { commandClientId, commandScopes } from "#contract/sign-in.ts";
import type { FetchFunction } from "#lib/fetch-function.ts";
import { signInWithBrowser } from "./browser-flow.ts";
import { readClaims } from "./claims.ts";
import { signInWithDevice } from "./device-flow.ts";
import { discover } from "./provider.ts";
import type { SayWhere } from "./surface.ts";
import { requireTokenStore, withTokenLock, writeSignIn } from "./token-file.ts";

export interface SignInOptions {
  readonly settings: {
    readonly configDirectory: string;
    readonly profile: string;
    readonly baseUrl: string;
    readonly authUrl: string;
  };
  /** Whether to sign in on another device with a code, instead of in a browser of this machine. */
  readonly device?: boolean | undefined;
  /** Separated by spaces (default: the scopes that `svc` needs). */
  readonly scope?: string | undefined;
  readonly callbackPort?: number | undefined;
  /** Longest wait for the browser (default 300,000). */
  readonly timeoutMs?: number | undefined;
  readonly clientId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: FetchFunction | undefined;
  readonly openBrowser: (url: string) => void | Promise<void>;
  /** Shows the URL to open, or the code to enter. */
  readonly say: SayWhere;
}

/** The signed-in user, from the provider's tokens. */
export interface SignedIn {
  readonly subject: string;
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/**
 * Signs in at the platform's OpenID provider and stores the tokens for the platform's origin (spec
 * 5.3, RFC 8252, RFC 8628). Throws E104 when sign-in fails, E201 when the provider can't be
 * reached, and E006 when tokens can't be stored, before the user enters a password.
 */
export async function signIn(options: SignInOptions): Promise<SignedIn> {
  const { settings, signal } = options;
  const { configDirectory, profile, baseUrl, authUrl } = settings;
  const scope = options.scope ?? commandScopes.join(" ");
  await requireTokenStore(configDirectory);
  const provider = await discover(authUrl, options.clientId ?? commandClientId, options);
  const tokens =
    options.device === true
      ? await signInWithDevice(provider, { ...options, scope })
      : await signInWithBrowser(provider, {
          ...options,
          scope,
          callbackPort: options.callbackPort ?? 0,
        });
  const key = { profile, origin: new URL(baseUrl).origin };
  await withTokenLock(
    configDirectory,
    async () => await writeSignIn(configDirectory, key, tokens),
    signal,
  );
  const claims = readClaims(tokens.idToken ?? tokens.accessToken);
  return {
    subject: claims.subject ?? "unknown",
    email: claims.email,
    name: claims.name,
    expiresAt: tokens.expiresAt,
  };
}
