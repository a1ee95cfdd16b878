import type { FetchFunction } from "#lib/network/fetch-function.ts";
import type { ProviderOptions } from "./provider.ts";
import type { TokenSet } from "./surface.ts";
import { removeSignIns, withTokenLock } from "./token-file.ts";

export interface SignOutOptions {
  readonly configDirectory: string;
  /** The profile's name; undefined means every profile. */
  readonly profile: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: FetchFunction | undefined;
}

const revocationMs = 3000;

/** Deletes the tokens (spec 5.4), then tries for 3 s to revoke them (RFC 7009). */
export async function signOut(options: SignOutOptions): Promise<{ readonly wasSignedIn: boolean }> {
  const { configDirectory, profile } = options;
  const removed = await withTokenLock(
    configDirectory,
    async () => await removeSignIns(configDirectory, profile),
    options.signal,
  );
  const timeout = AbortSignal.timeout(revocationMs);
  const signal =
    options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  await Promise.all(
    removed.map(async ({ tokens }) => await revoke(tokens, { fetch: options.fetch, signal })),
  );
  return { wasSignedIn: removed.length > 0 };
}

async function revoke(tokens: TokenSet, options: ProviderOptions): Promise<void> {
  const { revocationEndpoint, issuer, clientId } = tokens;
  if (revocationEndpoint === undefined) return;
  try {
    const [oauth, { publicClient, requestSettings }] = await Promise.all([
      import("oauth4webapi"),
      import("./provider.ts"),
    ]);
    // Revoking the refresh token ends the whole sign-in.
    const response = await oauth.revocationRequest(
      { issuer, revocation_endpoint: revocationEndpoint },
      publicClient(clientId),
      oauth.None(),
      tokens.refreshToken ?? tokens.accessToken,
      requestSettings(new URL(revocationEndpoint), options),
    );
    await oauth.processRevocationResponse(response);
  } catch {
    // The tokens are already deleted on this machine.
  }
}
