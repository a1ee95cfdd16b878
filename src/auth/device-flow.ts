import * as oauth from "oauth4webapi";
import { catalogError } from "#contract/errors.ts";
import { shortText } from "#lib/text/short.ts";
import { sleep } from "#lib/time/sleep.ts";
import { explained, requireIssuerOrigin, toTokenSet, type Provider } from "./provider.ts";
import type { SignInDialog, TokenSet } from "./surface.ts";

export interface DeviceFlowOptions extends Pick<SignInDialog, "signal" | "say"> {
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
  const endsAtMs = Date.now() + Math.min(device.expires_in, longestLifetimeSeconds) * 1000;
  await options.say(`Open ${place.url} on any device and enter the code ${place.code}`, {
    url: place.complete ?? place.url,
    code: place.code,
    endsAtMs,
  });
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
