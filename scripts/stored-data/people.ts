import * as oauth from "oauth4webapi";
import { codeOf } from "../../test/server/domains/factors/app-codes.ts";
import { FormBrowser } from "../../test/server/domains/sign-in/form-browser.ts";
import { StrictClient } from "../../test/server/domains/sign-in/strict-client.ts";
import { origin, type Answer, type RecordedPlatform } from "./recorded-platform.ts";
import type { Issued } from "./issued.ts";

const factors = "/v4/identity/me/factors";

/** Makes members of each state, roles, keys and sign-ins in the workspace `main`. */
export async function makePeople(
  platform: RecordedPlatform,
  { main, other }: { readonly main: string; readonly other: string },
): Promise<Issued["people"] & { readonly key: Issued["key"] }> {
  const admin = await signInFirst(platform);
  const base = `/v4/platform/tenants/${main}`;
  const post = (path: string, body: object): Promise<Answer> =>
    platform.call("POST", base + path, { body });
  const invite = (name: string, role = "tenant-staff"): Promise<Answer> =>
    post("/members/invite", { email: `${name}@stored.example`, role, firstName: name });

  const guarded = await makeGuarded(platform, await invite("guarded"));
  const role = await post("/role-definitions", {
    key: "archivist",
    displayName: "Archivist",
    permissions: ["resources.list", "documents.list"],
  });
  const members = (await platform.call("GET", `${base}/members?limit=500`)).items(
    "memberId",
    "oid",
    "email",
  );
  const memberOf = (start: string): string => {
    const found = members.find(({ email = "" }) => email.startsWith(start));
    if (found?.["memberId"] === undefined) throw new Error(`no sample member ${start}`);
    return found["memberId"];
  };
  const roleId = role.text("id");
  await platform.call("PATCH", `${base}/members/${memberOf("v.ward")}/roles`, {
    body: { roleDefinitionId: roleId },
  });
  await post(`/members/${memberOf("i.kemp")}/disable`, {});
  await platform.call("DELETE", `${base}/members/${memberOf("p.sharma")}`);
  const revoked = await invite("revoked");
  const revokedId = revoked.text("invitation", "invitationId");
  await platform.call("DELETE", `${base}/invitations/${revokedId}`);
  await post("/group-rules", {
    issuer: "https://login.stored.example",
    value: "planners",
    role: "tenant-viewer",
  });
  const expiresAt = new Date(Date.now() + keyLifeMs).toISOString();
  const key = await post("/keys", {
    name: "Import",
    role: "tenant-staff",
    workspaces: [other],
    expiresAt,
  });
  const ended = await post("/keys", { name: "Ended", roleDefinitionId: roleId });
  await platform.call("DELETE", `${base}/keys/${ended.text("key", "keyId")}`);
  return {
    admin,
    guarded,
    invitation: (await invite("pending", "tenant-builder")).text("secret"),
    key: { id: key.text("key", "keyId"), token: key.text("token") },
  };
}

const keyLifeMs = 365 * 24 * 60 * 60 * 1000;

/** The first user chooses a password, and signs in at a machine without a browser too. */
async function signInFirst(platform: RecordedPlatform): Promise<Issued["people"]["admin"]> {
  const email = "admin@localhost";
  const password = "correct horse battery staple";
  const client = await StrictClient.discover(origin, platform.fetch);
  const browser = new FormBrowser(origin, platform.fetch);
  const begun = await client.begin();
  await browser.visit(begun.address);
  await browser.press("sign-in", { email, password: platform.oneTimePassword });
  const chosen = { "new-password": password, "repeated-password": password };
  const { left } = await browser.press("choose-password", chosen);
  const tokens = await client.finish(new URL(String(left)), begun);
  // The first token is used, so that the stored one has a parent.
  const { refresh_token: refreshToken = "" } = await client.refresh(tokens.refresh_token);
  const device = await oauth.processDeviceAuthorizationResponse(
    client.server,
    { client_id: "svc" },
    await oauth.deviceAuthorizationRequest(
      client.server,
      { client_id: "svc" },
      oauth.None(),
      new URLSearchParams({ scope: "openid offline_access" }),
      client.options,
    ),
  );
  await browser.visit(String(device.verification_uri_complete));
  await browser.press("approve");
  return { email, password, refreshToken };
}

/** An invited person makes an account on the invitation's page, and adds an app to it. */
async function makeGuarded(
  platform: RecordedPlatform,
  invited: Answer,
): Promise<Issued["people"]["guarded"]> {
  const email = invited.text("member", "email");
  const password = "a passphrase next to an app";
  const browser = new FormBrowser(origin, platform.fetch);
  await browser.visit(invited.text("link"));
  await browser.press("create", { "new-password": password, "repeated-password": password });
  const token = await platform.tokenOf(email);
  const added = await platform.call("POST", factors, {
    token,
    body: { currentPassword: password },
  });
  const factorSecret = added.text("secret");
  const confirmed = await platform.call(
    "POST",
    `${factors}/${added.text("factor", "factorId")}/confirm`,
    { token, body: { code: codeOf(factorSecret, new Date()) } },
  );
  const recoveryCode = String(confirmed.value("recoveryCodes", "0"));
  return { email, password, factorSecret, recoveryCode };
}
