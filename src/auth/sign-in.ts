import { authPath, commandClientId, commandScopes } from "#contract/access/sign-in.ts";
import { trimEnd } from "#lib/text/trim-end.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { announcedProvider } from "./announced-provider.ts";
import { signInWithBrowser } from "./browser-flow.ts";
import { readClaims } from "./claims.ts";
import { signInWithDevice } from "./device-flow.ts";
import { discover, requireIssuerOrigin, type Provider } from "./provider.ts";
import type { SignInDialog } from "./surface.ts";
import { requireTokenStore, withTokenLock, writeSignIn } from "./token-file.ts";

export interface SignInOptions extends SignInDialog {
  readonly settings: {
    readonly configDirectory: string;
    readonly profile: string;
    readonly baseUrl: string;
    /** The provider that the user has named (default: the one that the platform names). */
    readonly authUrl?: string | undefined;
    /** False if only the project's `.env.local` sets the platform (default true). */
    readonly baseUrlTrusted?: boolean | undefined;
    /** False if only the project's `.env.local` sets the provider (default true). */
    readonly authUrlTrusted?: boolean | undefined;
  };
  /** True if codes and tokens may cross a network without encryption (default false). */
  readonly insecureHttp?: boolean | undefined;
  /** True to sign in on another device with a code, instead of in a browser of this machine. */
  readonly device?: boolean | undefined;
  /** Separated by spaces (default: the scopes that `svc` needs, and those of the platform). */
  readonly scope?: string | undefined;
  /** Default: the one that the platform names, or `svc`. */
  readonly clientId?: string | undefined;
  readonly fetch?: FetchFunction | undefined;
}

export interface SignedIn {
  /** Undefined when the tokens are opaque. */
  readonly subject: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** Time of the expiry (RFC 3339). */
  readonly expiresAt: string;
}

/**
 * Signs in at the platform's OpenID provider and stores the tokens for the platform's origin (spec
 * 5.3, RFC 8252, RFC 8628). Throws E104 when sign-in fails, E201 when the provider can't be
 * reached, and E006 when tokens can't be stored, before the user enters a password.
 */
export async function signIn(options: SignInOptions): Promise<SignedIn> {
  const { settings, signal } = options;
  const { configDirectory, profile, baseUrl } = settings;
  await requireTokenStore(configDirectory);
  const { provider, scope, isTrusted } = await findProvider(options);
  const signInWith = options.device === true ? signInWithDevice : signInWithBrowser;
  const tokens = await signInWith(provider, { ...options, scope, isTrusted });
  const key = { profile, origin: new URL(baseUrl).origin };
  await withTokenLock(
    configDirectory,
    async () => await writeSignIn(configDirectory, key, tokens),
    signal,
  );
  const claims = readClaims(tokens.idToken ?? tokens.accessToken);
  return {
    subject: claims.subject,
    email: claims.email,
    name: claims.name,
    expiresAt: tokens.expiresAt,
  };
}

/**
 * The provider that the user has named, else the one that the platform names (RFC 9728), else
 * `{base_url}/auth`. A platform that only a project sets gets no tokens of a provider elsewhere.
 */
async function findProvider(
  options: SignInOptions,
): Promise<{ readonly provider: Provider; readonly scope: string; readonly isTrusted: boolean }> {
  const { baseUrl, authUrl: named, baseUrlTrusted, authUrlTrusted } = options.settings;
  const announced = await announcedProvider(baseUrl, options);
  const authUrl = named ?? announced?.authUrl ?? baseUrl + authPath;
  const isTrusted = baseUrlTrusted !== false && authUrlTrusted !== false;
  if (!isTrusted) requireIssuerOrigin({ server: { issuer: baseUrl } }, "address", authUrl);
  const own = announced !== undefined && isSame(announced.authUrl, authUrl) ? announced : undefined;
  const clientId = options.clientId ?? own?.clientId ?? commandClientId;
  const scopes = new Set<string>([...commandScopes, ...(own?.scopes ?? [])]);
  return {
    provider: await discover(authUrl, clientId, options),
    scope: options.scope ?? [...scopes].join(" "),
    isTrusted,
  };
}

function isSame(left: string, right: string): boolean {
  return trimEnd(left, /\//) === trimEnd(right, /\//);
}
