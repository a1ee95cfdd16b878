import * as openid from "openid-client";
import { expect } from "vitest";
import { testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { apps, inside, newApp, redirectUri as appRedirect } from "../idp-apps/world.ts";

export const goodbye = "https://portal.example/goodbye";

export interface Registered {
  readonly config: openid.Configuration;
  readonly redirectUri: string;
}

export async function discovered(
  the: TestPlatform,
  clientId: string,
  authentication: openid.ClientAuth,
): Promise<openid.Configuration> {
  const fetchPage = (address: string, init: unknown) =>
    the.platform.fetch(new Request(address, Object(init)));
  const config = await openid.discovery(
    new URL(`${testBaseUrl}/auth`),
    clientId,
    undefined,
    authentication,
    { execute: [openid.allowInsecureRequests], [openid.customFetch]: fetchPage },
  );
  openid.enableNonRepudiationChecks(config);
  return config;
}

/** A client of an app that its workspace has registered, with an address after the sign-out. */
export async function appClient(
  the: TestPlatform,
  authenticate: (secret: string) => openid.ClientAuth = openid.ClientSecretBasic,
): Promise<Registered> {
  const { clientId, secret } = await newApp(the);
  const body = { clientId, postLogoutRedirectUris: [goodbye] };
  const confirmed = await the.as("tenant-admin").post(apps, body, inside(the));
  expect(confirmed.json).toMatchObject({ postLogoutRedirectUris: [goodbye] });
  return {
    config: await discovered(the, clientId, authenticate(secret)),
    redirectUri: appRedirect,
  };
}
