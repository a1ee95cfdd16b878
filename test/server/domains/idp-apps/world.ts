import * as oauth from "oauth4webapi";
import { expect } from "vitest";
import { field, testBaseUrl, type Answered, type TestPlatform } from "#test/support/platform.ts";
import { StrictClient } from "../sign-in/strict-client.ts";

export const apps = "/v4/platform/provisioning/idp-apps";
export const redirectUri = "https://portal.example/auth/callback";
export const inTenant = { "x-tenant-id": "{tenant}" };

/** Options of a call in the workspace `tenant`. */
export function inside(the: TestPlatform, workspace = the.workspaces.tenant) {
  return { headers: { "x-tenant-id": workspace } };
}

let count = 0;

export interface MadeApp {
  readonly clientId: string;
  readonly key: string;
  readonly secret: string;
}

/** A new app of `tenant`, or of another workspace. */
export async function newApp(the: TestPlatform, workspace?: string): Promise<MadeApp> {
  count += 1;
  const key = `portal-${count}`;
  const body = { key, displayName: "Portal", redirectUris: [redirectUri] };
  const made = await the.as("system-admin").post(apps, body, inside(the, workspace));
  expect(made.status).toBe(200);
  return { key, clientId: String(field(made.json, "clientId")), secret: secretOf(made) };
}

export function secretOf({ json }: Answered): string {
  return String(field(json, "clientSecret"));
}

/** A strict client that authenticates as the app. */
export function clientOf(
  the: TestPlatform,
  { clientId, secret }: Pick<MadeApp, "clientId" | "secret">,
  authenticate: (secret: string) => oauth.ClientAuth = oauth.ClientSecretBasic,
): Promise<StrictClient> {
  return StrictClient.discover(testBaseUrl, (request) => the.platform.fetch(request), {
    client: { client_id: clientId },
    authentication: authenticate(secret),
    redirectUri,
  });
}
