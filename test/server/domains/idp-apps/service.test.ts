import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, test } from "vitest";
import {
  caller,
  describePlatform,
  field,
  testBaseUrl,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";
import { newMember } from "../members/world.ts";
import { authorizeAddress, FormBrowser } from "../sign-in/form-browser.ts";
import type { StrictClient } from "../sign-in/strict-client.ts";
import { apps, clientOf, inside, newApp, redirectUri, secretOf, type MadeApp } from "./world.ts";

const password = "correct horse battery staple";

/** The redirect after a sign-in on the page. */
async function signedIn(the: TestPlatform, address: URL, email: string): Promise<URL> {
  const browser = new FormBrowser(testBaseUrl, (request) => the.platform.fetch(request));
  await browser.visit(address);
  const { left, text } = await browser.press("sign-in", { email, password });
  if (left === undefined) throw new Error(`not signed in: ${text}`);
  return left;
}

async function tokensOf(
  the: TestPlatform,
  client: StrictClient,
  user: TestUser = "tenant-staff",
): Promise<oauth.TokenEndpointResponse> {
  const begun = await client.begin();
  return client.finish(await signedIn(the, begun.address, the.users[user].email), begun);
}

/** A new child of `tenant` with the installation's administrator as its admin. */
async function childOf(the: TestPlatform): Promise<string> {
  const children = `/v4/platform/tenants/${the.workspaces.tenant}/children`;
  const admin = the.as("system-admin");
  const made = await admin.post(children, { slug: "of-apps", displayName: "Apps" });
  const id = String(field(made.json, "id"));
  expect((await admin.post(`${children}/${id}/bootstrap-admin`)).status).toBe(200);
  return id;
}

const confirm = (the: TestPlatform, body: Readonly<Record<string, unknown>>) =>
  the.as("tenant-admin").post(apps, body, inside(the));

const rotate = (the: TestPlatform, { clientId }: MadeApp) =>
  the.as("tenant-admin").post(`${apps}/${clientId}/rotate-secret`, undefined, inside(the));

describePlatform("an app of a workspace", (the) => {
  beforeAll(async () => {
    for (const user of ["tenant-staff", "tenant-admin", "outsider", "system-admin"] as const) {
      await the().platform.services.signIn.setPassword(the().users[user].oid, password);
    }
  });

  describe("as a strict client", () => {
    test.each([
      ["client_secret_basic", oauth.ClientSecretBasic],
      ["client_secret_post", oauth.ClientSecretPost],
    ] as const)("signs in, refreshes and revokes with %s", async (_name, authenticate) => {
      const app = await newApp(the());
      const client = await clientOf(the(), app, authenticate);
      const tokens = await tokensOf(the(), client);
      const { oid, email } = the().users["tenant-staff"];
      expect(oauth.getValidatedIdTokenClaims(tokens)).toMatchObject({
        iss: `${testBaseUrl}/auth`,
        aud: app.clientId,
        sub: oid,
        email,
      });
      const next = await client.refresh(tokens.refresh_token);
      expect(await client.isAccepted(next.access_token)).toBe(true);
      await client.revoke(String(next.refresh_token));
      expect(await client.isAccepted(next.access_token)).toBe(false);
    });

    test("signs in without PKCE only where its registration says so", async () => {
      const app = await newApp(the());
      const { email } = the().users["tenant-staff"];
      const bare = { client_id: app.clientId, code_challenge: undefined };
      const address = new URL(
        authorizeAddress({ ...bare, redirect_uri: redirectUri }),
        testBaseUrl,
      );
      address.searchParams.delete("code_challenge_method");
      const refused = new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));
      const { left } = await refused.visit(address);
      expect(left?.searchParams.get("error")).toBe("invalid_request");
      const made = await confirm(the(), { clientId: app.clientId, pkce: "optional" });
      expect(made.json).toMatchObject({ pkce: "optional" });

      const redeem = async (came: URL, more: Readonly<Record<string, string>> = {}) => {
        const fields = {
          grant_type: "authorization_code",
          code: came.searchParams.get("code") ?? "",
          redirect_uri: redirectUri,
          client_id: app.clientId,
          client_secret: app.secret,
          ...more,
        };
        const place = `${testBaseUrl}/auth/oauth2/v2.0/token`;
        const init = { method: "POST", body: new URLSearchParams(fields) };
        const answered = await the().platform.fetch(new Request(place, init));
        return { status: answered.status, body: (await answered.json()) as object };
      };
      const granted = await redeem(await signedIn(the(), address, email));
      expect(granted).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
      // A verifier for a code without a challenge, and a challenged code without a verifier.
      const plain = await signedIn(the(), address, email);
      const verifier = "v".repeat(43);
      expect(await redeem(plain, { code_verifier: verifier })).toMatchObject({
        status: 400,
        body: { error: "invalid_grant" },
      });
      const client = await clientOf(the(), app);
      const begun = await client.begin();
      const challenged = await signedIn(the(), begun.address, email);
      expect(await redeem(challenged)).toMatchObject({ status: 400 });
      const half = new URL(address);
      half.searchParams.set("code_challenge_method", "plain");
      expect((await refused.visit(half)).left?.searchParams.get("error")).toBe("invalid_request");
      const without = await redeem(await signedIn(the(), address, email), { client_secret: "" });
      expect(without).toMatchObject({ status: 401, body: { error: "invalid_client" } });
      // A public client never signs in without PKCE.
      const command = new URL(authorizeAddress({ code_challenge: undefined }), testBaseUrl);
      command.searchParams.delete("code_challenge_method");
      expect((await refused.visit(command)).left?.searchParams.get("error")).toBe(
        "invalid_request",
      );
    });

    test("names itself and its host on the page", async () => {
      const { address } = await (await clientOf(the(), await newApp(the()))).begin();
      const browser = new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));
      const { text } = await browser.visit(address);
      expect(text).toContain("Sign in to let the app “Portal” act for you in its workspace.");
      expect(text).toContain("You return to portal.example.");
    });

    test.each([
      "https://portal.example/auth/callback/",
      "https://portal.example/auth/callback?next=evil",
      "https://portal.example.evil/auth/callback",
      "http://127.0.0.1:49152/callback",
    ])("is not sent back to %s", async (address) => {
      const client = await clientOf(the(), await newApp(the()));
      const begun = await client.begin({ redirect_uri: address });
      const response = await the().platform.fetch(new Request(begun.address.href));
      expect(response.status).toBe(400);
      expect(response.headers.get("location")).toBeNull();
    });
  });

  describe("that does not authenticate", () => {
    const basic = (id: string, secret: string): string =>
      `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

    test.each([
      ["no secret", () => ({}), undefined],
      ["a wrong secret", () => ({ client_secret: "svcs_wrong" }), undefined],
      [
        "another app's secret",
        ({ other }: { other: MadeApp }) => ({ client_secret: other.secret }),
        undefined,
      ],
      [
        "a wrong secret in the header",
        () => ({}),
        ({ app }: { app: MadeApp }) => basic(app.clientId, "x"),
      ],
      ["a header that is not Basic", () => ({}), () => "Bearer x"],
      ["a header with a broken escape", () => ({}), () => basic("%zz", "x")],
      ["a header with a NUL", () => ({}), () => basic("%00", "x")],
    ] as const)("gets no token with %s", async (_name, fields, header) => {
      const [app, other] = [await newApp(the()), await newApp(the())];
      const client = await clientOf(the(), app);
      const begun = await client.begin();
      const came = await signedIn(the(), begun.address, the().users["tenant-staff"].email);
      const form = {
        grant_type: "authorization_code",
        code: String(came.searchParams.get("code")),
        redirect_uri: redirectUri,
        code_verifier: begun.verifier,
      };
      const authorization = header?.({ app });
      const response = await the().platform.fetch(
        new Request(String(client.server.token_endpoint), {
          method: "POST",
          ...(authorization === undefined ? {} : { headers: { authorization } }),
          body: new URLSearchParams({
            ...form,
            ...(authorization === undefined ? { client_id: app.clientId } : {}),
            ...fields({ other }),
          }),
        }),
      );
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: "invalid_client" });
      const challenge = authorization === undefined ? null : 'Basic realm="svc"';
      expect(response.headers.get("www-authenticate")).toBe(challenge);
      // The code was not used up.
      expect(await client.finish(came, begun)).toHaveProperty("access_token");
    });

    test("cannot redeem the code of another app", async () => {
      const [app, other] = [await newApp(the()), await newApp(the())];
      const begun = await (await clientOf(the(), app)).begin();
      const came = await signedIn(the(), begun.address, the().users["tenant-staff"].email);
      const thief = await clientOf(the(), other);
      await expect(thief.finish(came, begun)).rejects.toMatchObject({ error: "invalid_grant" });
    });

    test("cannot sign in a device, nor be named in two ways", async () => {
      const app = await newApp(the());
      const send = async (path: string, fields: Record<string, string>, headers = {}) => {
        const body = new URLSearchParams(fields);
        const address = `${testBaseUrl}/auth/oauth2/v2.0/${path}`;
        const request = new Request(address, { method: "POST", headers, body });
        return (await the().platform.fetch(request)).json();
      };
      const own = { client_id: app.clientId, client_secret: app.secret };
      expect(await send("devicecode", own)).toMatchObject({ error: "unauthorized_client" });
      const authorization = basic(app.clientId, app.secret);
      expect(await send("revoke", { ...own, token: "x" }, { authorization })).toMatchObject({
        error: "invalid_request",
      });
      const other = { client_id: "svc", token: "x" };
      expect(await send("revoke", other, { authorization })).toMatchObject({
        error: "invalid_request",
      });
      expect(await send("revoke", { ...other, client_secret: "x" })).toMatchObject({
        error: "invalid_client",
      });
    });
  });

  describe("for its users", () => {
    test("refuses accounts outside its workspace", async () => {
      const client = await clientOf(the(), await newApp(the()));
      const begun = await client.begin();
      const came = await signedIn(the(), begun.address, the().users.outsider.email);
      expect(came.searchParams.get("error")).toBe("access_denied");
      expect(came.searchParams.get("state")).toBe(begun.state);
      expect(came.searchParams.has("code")).toBe(false);
    });

    test("acts in its workspace and its children, and nowhere else", async () => {
      const { tenant, other } = the().workspaces;
      const child = await childOf(the());
      const { access_token: token } = await tokensOf(
        the(),
        await clientOf(the(), await newApp(the())),
        "system-admin",
      );
      const call = caller((request) => the().platform.fetch(request), token);
      const types = "/v4/data/resources/object-types";
      const statusIn = async (workspace: string) =>
        (await call.get(types, inside(the(), workspace))).status;
      expect(await statusIn(tenant)).toBe(200);
      expect(await statusIn(child)).toBe(200);
      const direct = await the().as("system-admin").get(types, inside(the(), other));
      expect(direct.status).toBe(200);
      expect(await statusIn(other)).toBe(404);
      expect(await statusIn("01900000-0000-7000-8000-00000000dead")).toBe(404);
      const { json } = await call.get("/v4/identity/tenants");
      const ids = (field(json, "items") as { id: string }[]).map(({ id }) => id);
      expect(ids).toContain(tenant);
      expect(ids).toContain(child);
      expect(ids).not.toContain(other);
    });

    test("does not act for the account or the installation", async () => {
      const { tenant } = the().workspaces;
      const { access_token: token } = await tokensOf(
        the(),
        await clientOf(the(), await newApp(the())),
        "system-admin",
      );
      const call = caller((request) => the().platform.fetch(request), token);
      expect((await call.get("/v4/identity/me")).json).toMatchObject({ systemAdmin: false });
      const change = { currentPassword: password, newPassword: "another good password" };
      const root = { slug: "from-app", displayName: "x", homeRegion: "eu" };
      const answers = await Promise.all([
        call.post("/v4/identity/me/password", change),
        call.post("/v4/identity/me/revoke-tokens"),
        call.get("/v4/identity/me/sessions"),
        call.post("/v4/platform/tenants", root),
        call.post(`/v4/platform/tenants/${tenant}/keys`, { name: "x", role: "tenant-viewer" }),
        call.post(`/v4/platform/tenants/${tenant}/members/leave`),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    });

    test("loses a member who is removed", async () => {
      const { tenant } = the().workspaces;
      const person = await newMember(the(), tenant);
      await the().platform.services.signIn.setPassword(person.oid, password);
      const client = await clientOf(the(), await newApp(the()));
      const begun = await client.begin();
      const tokens = await client.finish(await signedIn(the(), begun.address, person.email), begun);
      const call = caller((request) => the().platform.fetch(request), tokens.access_token);
      const types = "/v4/data/resources/object-types";
      expect((await call.get(types, inside(the()))).status).toBe(200);
      await the()
        .as("tenant-admin")
        .delete(`/v4/platform/tenants/${tenant}/members/${person.memberId}`);
      expect((await call.get(types, inside(the()))).status).toBe(404);
    });
  });

  describe("with a rotated secret", () => {
    test("uses both until the new one is confirmed", async () => {
      const app = await newApp(the());
      const rotated = await rotate(the(), app);
      expect(rotated.json).toMatchObject({ rotationPending: true, created: false });
      const next = { ...app, secret: secretOf(rotated) };
      for (const each of [app, next]) {
        expect(await tokensOf(the(), await clientOf(the(), each))).toHaveProperty("access_token");
      }
      const old = await confirm(the(), { clientId: app.clientId, clientSecret: app.secret });
      expect(old.json).toMatchObject({ rotationPending: true });
      const done = await confirm(the(), { clientId: app.clientId, clientSecret: next.secret });
      expect(done.json).toMatchObject({ rotationPending: false });
      const tokens = await tokensOf(the(), await clientOf(the(), next));
      await expect((await clientOf(the(), app)).refresh(tokens.refresh_token)).rejects.toThrow();
    });

    test("has one new secret: a second rotation ends the first new one", async () => {
      const app = await newApp(the());
      const lost = { ...app, secret: secretOf(await rotate(the(), app)) };
      const next = { ...app, secret: secretOf(await rotate(the(), app)) };
      const tokens = await tokensOf(the(), await clientOf(the(), app));
      await expect((await clientOf(the(), lost)).refresh(tokens.refresh_token)).rejects.toThrow();
      const found = await (await clientOf(the(), next)).refresh(tokens.refresh_token);
      expect(found).toHaveProperty("access_token");
    });
  });

  describe("that is removed", () => {
    test("ends its sign-ins at once, and is unknown", async () => {
      const app = await newApp(the());
      const client = await clientOf(the(), app);
      const tokens = await tokensOf(the(), client);
      expect(await client.isAccepted(tokens.access_token)).toBe(true);
      const removed = await the()
        .as("tenant-admin")
        .delete(`${apps}/${app.clientId}`, inside(the()));
      expect(removed).toMatchObject({
        status: 200,
        json: { clientId: app.clientId, status: "deleted", endedSessions: 1 },
      });
      expect(await client.isAccepted(tokens.access_token)).toBe(false);
      await expect(client.refresh(tokens.refresh_token)).rejects.toMatchObject({ status: 401 });
      const page = await the().platform.fetch(new Request((await client.begin()).address.href));
      expect(page.status).toBe(400);
      expect((await rotate(the(), app)).status).toBe(404);
    });

    test("keeps its registration on request, and signs in again once it is confirmed", async () => {
      const app = await newApp(the());
      const client = await clientOf(the(), app);
      const tokens = await tokensOf(the(), client);
      const path = `${apps}/${app.clientId}?keepRegistration=true`;
      const kept = await the().as("tenant-admin").delete(path, inside(the()));
      expect(kept.json).toMatchObject({ status: "deauthorized", endedSessions: 1 });
      expect(await client.isAccepted(tokens.access_token)).toBe(false);
      expect(
        (await the().platform.fetch(new Request((await client.begin()).address.href))).status,
      ).toBe(400);
      expect((await confirm(the(), { key: app.key })).json).toMatchObject({
        status: "active",
      });
      expect(await tokensOf(the(), client)).toHaveProperty("access_token");
      expect(await client.isAccepted(tokens.access_token)).toBe(false);
    });
  });
});
