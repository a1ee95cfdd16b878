import { openSession } from "#auth/session.ts";
import type { SessionOptions, TokenSet } from "#auth/surface.ts";
import { writeSignIn } from "#auth/token-file.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type TestProvider } from "./provider.ts";

export const baseUrl = "http://platform.example:4400";
export const origin = "http://platform.example:4400";
export const key = { profile: "default", origin };

export function tokensOf(provider: TestProvider | undefined, expiresInMs: number): TokenSet {
  const issuer = provider?.url ?? "http://127.0.0.1:1/auth";
  return {
    accessToken: "access-stored",
    refreshToken: provider?.issueRefreshToken() ?? "refresh-0",
    expiresAt: new Date(Date.now() + expiresInMs).toISOString(),
    issuer,
    tokenEndpoint: `${issuer}/oauth2/v2.0/token`,
    revocationEndpoint: `${issuer}/oauth2/v2.0/revoke`,
    clientId: "svc",
  };
}

/** A config directory with one sign-in. */
export async function signedIn(
  provider: TestProvider | undefined,
  expiresInMs: number,
  change: Partial<TokenSet> = {},
) {
  const configDirectory = await temporaryDirectory("session");
  await writeSignIn(configDirectory, key, { ...tokensOf(provider, expiresInMs), ...change });
  return configDirectory;
}

export function open(configDirectory: string, options: Partial<SessionOptions> = {}) {
  return openSession({ configDirectory, profile: "default", baseUrl, ...options });
}

export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    (value) => value,
    (error: unknown) => Reflect.get(Object(error), "code") ?? error,
  );
}
