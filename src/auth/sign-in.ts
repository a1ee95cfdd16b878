import { authPath, commandClientId, commandScopes } from "#contract/access/sign-in.ts";
import { trimEnd } from "#lib/text/trim-end.ts";
import type { FetchFunction } from "#lib/network/fetch-function.ts";
import { announcedProvider } from "./announced-provider.ts";
import { signInWithBrowser } from "./browser-flow.ts";
import { readClaims } from "./claims.ts";
import { discover, requireIssuerOrigin, type Provider, explained, toTokenSet } from "./provider.ts";
import type { SignInDialog, TokenSet } from "./surface.ts";
import { requireTokenStore, withTokenLock, writeSignIn } from "./token-file.ts";
import * as oauth from "oauth4webapi";
import { catalogError } from "#contract/errors.ts";
import { shortText } from "#lib/text/short.ts";
import { sleep } from "#lib/time/sleep.ts";

interface DeviceFlowOptions extends Pick<SignInDialog, "signal" | "say"> {
  readonly scope: string;
  /** False if only the project's `.env.local` sets the platform (default true). */
  readonly isTrusted?: boolean | undefined;
  /** Waits between two polls (default: a timer). */
  readonly wait?: ((durationMs: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

const defaultIntervalSeconds = 5;
/** Added after `slow_down` (RFC 8628, 3.5). */
const slowDownSeconds = 5;
const longestLifetimeSeconds = 1800;

/** Sign-in on another device (RFC 8628); polls until the user has entered the code. Throws E104. */
export async function signInWithDevice(
  provider: Provider,
  options: DeviceFlowOptions,
): Promise<TokenSet> {
  const { server, client, request } = provider;
  const { signal, scope, wait = sleep } = options;
  const endpoint = server.device_authorization_endpoint;
  if (endpoint === undefined) {
    throw catalogError("E104", {
      details: "the provider does not support sign-in on other devices",
    });
  }
  const device = await explained(
    new URL(endpoint),
    async () =>
      await oauth.processDeviceAuthorizationResponse(
        server,
        client,
        await oauth.deviceAuthorizationRequest(server, client, oauth.None(), { scope }, request),
      ),
    signal,
  );
  const place = placeOf(device);
  if (options.isTrusted === false) {
    // The code could be another provider's, and confirming it would sign the attacker in.
    for (const page of [place.url, place.complete]) {
      requireIssuerOrigin(provider, "page for the code", page);
    }
    requireIssuerOrigin(provider, "token endpoint", provider.tokenUrl.href);
  }
  await options.say(`Open ${place.url} on any device and enter the code ${place.code}`, {
    url: place.complete ?? place.url,
    code: place.code,
  });
  const endsAtMs = Date.now() + Math.min(device.expires_in, longestLifetimeSeconds) * 1000;
  let intervalSeconds = device.interval ?? defaultIntervalSeconds;
  for (;;) {
    if (Date.now() + intervalSeconds * 1000 > endsAtMs) {
      throw catalogError("E104", { details: "the code expired before it was confirmed" });
    }
    await wait(intervalSeconds * 1000, signal);
    const answer = await poll(provider, device.device_code, signal);
    if (answer === "slow-down") intervalSeconds += slowDownSeconds;
    else if (answer !== "pending") return toTokenSet(answer, provider, Date.now());
  }
}

async function poll(
  { server, client, request, tokenUrl }: Provider,
  deviceCode: string,
  signal: AbortSignal | undefined,
): Promise<oauth.TokenEndpointResponse | "pending" | "slow-down"> {
  return await explained(
    tokenUrl,
    async () => {
      try {
        const none = oauth.None();
        return await oauth.processDeviceCodeResponse(
          server,
          client,
          await oauth.deviceCodeGrantRequest(server, client, none, deviceCode, request),
        );
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError) {
          if (error.error === "authorization_pending") return "pending";
          if (error.error === "slow_down") return "slow-down";
          throw error;
        }
        if (error instanceof oauth.OperationProcessingError) throw error;
        // A lost poll is repeated more slowly (RFC 8628, 3.5).
        signal?.throwIfAborted();
        return "slow-down";
      }
    },
    signal,
  );
}

/** The URL and the code for the user; the provider's texts are untrusted. */
function placeOf(device: oauth.DeviceAuthorizationResponse) {
  const address = (text: string | undefined) =>
    text !== undefined && /^https?:\/\//i.test(text) ? shortText(text, 1000) : undefined;
  const url = address(device.verification_uri);
  if (url === undefined) {
    throw catalogError("E104", { details: "the provider has no page for the code" });
  }
  return {
    url,
    complete: address(device.verification_uri_complete),
    code: shortText(device.user_code, 64),
  };
}

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
