import { expect, test } from "vitest";
import { caller, describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { invite, newRoot, text } from "../members/world.ts";

const path = "/v4/identity/me/sessions";
const passwordPath = "/v4/identity/me/password";
const password = "a long enough passphrase";
const absent = "01900000-0000-7000-8000-00000000dead";

interface SignedIn {
  readonly oid: string;
  readonly email: string;
  /** Signs in once more, as a program of this name. */
  open(device: string): Promise<Opened>;
}
interface Opened {
  readonly call: ReturnType<typeof caller>;
  refresh(): Promise<number>;
}

/** A new account with a password, which signs in with codes. */
async function newAccount(the: TestPlatform): Promise<SignedIn> {
  const { signIn, invitations } = the.platform.services;
  const email = `a-${crypto.randomUUID().slice(0, 8)}@example.org`;
  const secret = await invite(the, await newRoot(the), { email, role: "tenant-viewer" });
  const { oid } = await invitations.admit(secret);
  await signIn.setPassword(oid, password);
  const send = (fields: Readonly<Record<string, string>>, device: string): Promise<Response> =>
    the.platform.fetch(
      new Request(`${the.baseUrl}/auth/oauth2/v2.0/token`, {
        method: "POST",
        body: new URLSearchParams({ client_id: "svc", ...fields }),
        headers: { "user-agent": device },
      }),
    );
  return {
    oid,
    email,
    async open(device) {
      const verifier = "v".repeat(43);
      const redirectUri = "http://127.0.0.1:1/callback";
      const code = await signIn.grants.issueCode({
        clientId: "svc",
        oid,
        scope: "openid offline_access",
        signedInAt: the.now().toISOString(),
        redirectUri,
        codeChallenge: Bun.CryptoHasher.hash("sha256", verifier, "base64url"),
        nonce: undefined,
      });
      const given = await send(
        {
          grant_type: "authorization_code",
          code,
          redirect_uri: redirectUri,
          code_verifier: verifier,
        },
        device,
      );
      expect(given.status).toBe(200);
      const tokens: unknown = await given.json();
      const call = caller(
        (request) => the.platform.fetch(request),
        String(field(tokens, "access_token")),
      );
      const refreshToken = String(field(tokens, "refresh_token"));
      return {
        call,
        refresh: async () =>
          (await send({ grant_type: "refresh_token", refresh_token: refreshToken }, device)).status,
      };
    },
  };
}

describePlatform("an account's sessions and password", (the) => {
  test("sessions have their device and use, and end one by one", async () => {
    const account = await newAccount(the());
    const laptop = await account.open("svc/1 laptop\u00e9");
    the().advance(1000);
    const desk = await account.open("svc/1 desk");
    const listed = await desk.call.get(path);
    expect(listed.json).toMatchObject({
      items: [
        { clientId: "svc", device: "svc/1 desk", current: true, lastUsedAt: expect.any(String) },
        { clientId: "svc", device: "svc/1 laptop", current: false },
      ],
      hasNextPage: false,
    });
    const [, other] = field(listed.json, "items") as { sessionId: string }[];
    const id = other?.sessionId ?? "";
    expect((await the().as("outsider").delete(`${path}/${id}`)).status).toBe(404);
    expect((await laptop.call.get("/v4/identity/me")).status).toBe(200);
    const ended = await desk.call.delete(`${path}/${id}`);
    expect(ended.json).toEqual({ sessionId: id, status: "ended" });
    expect((await laptop.call.get("/v4/identity/me")).status).toBe(401);
    expect(await laptop.refresh()).toBe(400);
    expect((await desk.call.delete(`${path}/${id}`)).status).toBe(404);
    expect((await desk.call.get(path)).json).toMatchObject({ items: [{ current: true }] });
    const first = await desk.call.get(`${path}?limit=1`);
    expect(field(first.json, "hasNextPage")).toBe(false);
  });

  test("a password change needs the present password, and ends the other sessions", async () => {
    const account = await newAccount(the());
    const laptop = await account.open("laptop");
    const desk = await account.open("desk");
    const change = (currentPassword: string, newPassword: string) =>
      desk.call.post(passwordPath, { currentPassword, newPassword });
    const wrong = await change("not the password", "another passphrase");
    expect(wrong.json).toMatchObject({ status: 422, errors: [{ pointer: "#/currentPassword" }] });
    for (const bad of ["short", password]) {
      const refused = await change(password, bad);
      expect(refused.json).toMatchObject({ status: 422, errors: [{ pointer: "#/newPassword" }] });
    }
    expect((await laptop.call.get("/v4/identity/me")).status).toBe(200);
    const changed = await change(password, "another passphrase");
    expect(changed.json).toEqual({ oid: account.oid, endedSessions: 1 });
    expect((await laptop.call.get("/v4/identity/me")).status).toBe(401);
    expect(await laptop.refresh()).toBe(400);
    expect((await desk.call.get("/v4/identity/me")).status).toBe(200);
    expect(await desk.refresh()).toBe(200);
    expect((await change(password, "a third passphrase")).status).toBe(422);
  });

  test("wrong passwords make the next attempt wait, for this address and a bounded time", async () => {
    const account = await newAccount(the());
    const { call } = await account.open("desk");
    const change = (currentPassword: string) =>
      call.post(passwordPath, { currentPassword, newPassword: "another passphrase" });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt += 1) statuses.push((await change("x")).status);
    expect(statuses).toContain(429);
    expect(statuses[0]).toBe(422);
    const waiting = await change(password);
    expect(waiting.status).toBe(429);
    expect(Number(waiting.headers.get("retry-after"))).toBeGreaterThan(0);
    the().advance(5 * 60 * 1000 + 1000);
    expect((await change(password)).status).toBe(200);
  });

  test("an account without a password here cannot change one, and bad inputs are pointed to", async () => {
    const admin = the().as("tenant-admin");
    const body = { currentPassword: "x", newPassword: "another passphrase" };
    expect((await admin.post(passwordPath, body)).status).toBe(409);
    const missing = await admin.post(passwordPath, { currentPassword: "" });
    expect(missing.json).toMatchObject({
      errors: [{ pointer: "#/currentPassword" }, { pointer: "#/newPassword" }],
    });
    expect((await admin.delete(`${path}/desk`)).status).toBe(422);
    expect((await admin.delete(`${path}/${absent}`)).status).toBe(404);
    expect((await the().as("nobody").get(path)).status).toBe(401);
    expect((await the().as("nobody").post(passwordPath, body)).status).toBe(401);
    expect(text(await admin.get(path), "items")).toBe("");
  });

  test("a reset by the installation's administrator leaves a one-time password only", async () => {
    const account = await newAccount(the());
    const laptop = await account.open("laptop");
    const reset = `/v4/platform/users/${account.oid}/reset-password`;
    expect((await the().as("tenant-admin").post(reset)).status).toBe(403);
    const admin = the().as("system-admin");
    expect((await admin.post(`/v4/platform/users/${absent}/reset-password`)).status).toBe(404);
    const answered = await admin.post(reset);
    const { oid } = account;
    expect(answered.json).toMatchObject({ oid, status: "active", revokedGrants: 1 });
    const oneTime = text(answered, "oneTimePassword");
    const leftMs = Date.parse(text(answered, "expiresAt")) - the().now().getTime();
    expect(leftMs).toBeLessThanOrEqual(24 * 60 * 60 * 1000);
    expect((await laptop.call.get(path)).status).toBe(401);
    expect(await laptop.refresh()).toBe(400);
    const { signIn } = the().platform.services;
    const { email } = account;
    const attempt = (tried: string) => signIn.signIn({ email, password: tried, address: "test" });
    expect(await attempt(password)).toEqual({ result: "wrong" });
    expect(await attempt(oneTime)).toMatchObject({ result: "choose-password" });
    const log = await admin.get("/v4/platform/audit?limit=100&action=members.resetPassword");
    expect(log.json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({
          outcome: "done",
          changes: expect.objectContaining({ target: { oid, email } }),
        }),
      ]),
    });
    expect(log.text).not.toContain(oneTime);
    the().advance(leftMs + 1);
    expect(await attempt(oneTime)).toEqual({ result: "wrong" });
  });
});
