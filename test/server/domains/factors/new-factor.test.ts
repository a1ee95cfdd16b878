import { expect, test } from "vitest";
import { describePlatform, field, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { membersPath, newRoot } from "../members/world.ts";
import { authorizeAddress, FormBrowser, type Visited } from "../sign-in/form-browser.ts";
import { codeOf } from "./app-codes.ts";
import { addApp, enteredPassword, newPerson, password } from "./world.ts";

const path = "/v4/identity/me/factors";

/** The secret of the app that a page shows. */
function secretIn({ html }: Visited): string {
  return (/class="secret">([^<]+)</.exec(html)?.[1] ?? "").replaceAll(" ", "");
}

async function tokens(
  the: TestPlatform,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const response = await the.platform.fetch(
    new Request(`${testBaseUrl}/auth/oauth2/v2.0/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "svc", ...fields }),
    }),
  );
  return { status: response.status, json: await response.json() };
}

/** The refresh token of a sign-in that has ended with this page. */
async function refreshTokenAfter(the: TestPlatform, { left }: Visited): Promise<string> {
  const granted = await tokens(the, {
    grant_type: "authorization_code",
    code: left?.searchParams.get("code") ?? "",
    redirect_uri: "http://127.0.0.1:49152/callback",
    // The verifier of the challenge in RFC 7636, appendix B.
    code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  });
  expect(granted.status).toBe(200);
  return String(field(granted.json, "refresh_token"));
}

describePlatform(
  "a platform that asks administrators for a second factor",
  (the) => {
    test("an admin adds an app in the sign-in, which then goes on", async () => {
      const person = await newPerson(the(), "tenant-admin");
      expect((await person.call.get(path)).json).toMatchObject({ required: true, items: [] });
      const { browser, page } = await enteredPassword(the(), person.email);
      expect(page.title).toBe("Add a second factor");
      const secret = secretIn(page);
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      const wrong = await browser.press("confirm-app", { code: "000000" });
      expect(wrong.status).toBe(422);
      expect(secretIn(wrong)).toBe(secret);
      expect(browser.cookies.has("svc_session")).toBe(false);
      const code = codeOf(secret, the().now());
      const codes = await browser.press("confirm-app", { code });
      expect(codes.title).toBe("Recovery codes");
      await browser.visit(codes.links[0] ?? "");
      const signedIn = await browser.press("continue");
      expect(signedIn.left?.searchParams.get("code")).toBeTruthy();
      expect((await enteredPassword(the(), person.email)).page.title).toBe("Second factor");
    });

    test("others sign in with the password, until they become admins", async () => {
      const workspace = await newRoot(the());
      const person = await newPerson(the());
      const { browser, page } = await enteredPassword(the(), person.email);
      const refresh_token = await refreshTokenAfter(the(), page);
      const refreshed = await tokens(the(), { grant_type: "refresh_token", refresh_token });
      expect(refreshed.status).toBe(200);
      const next = String(field(refreshed.json, "refresh_token"));

      const invited = await the()
        .as("system-admin")
        .post(`${membersPath(workspace)}/invite`, { email: person.email, role: "tenant-admin" });
      const secret = String(field(invited.json, "secret"));
      const accepted = await person.call.post("/v4/identity/invitations/accept", { secret });
      expect(accepted.status).toBe(200);
      const refused = await tokens(the(), { grant_type: "refresh_token", refresh_token: next });
      expect(refused).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
      expect((await browser.visit(authorizeAddress())).title).toBe("Sign in");
      await addApp(the(), person);
      const again = await tokens(the(), { grant_type: "refresh_token", refresh_token: next });
      expect(again.status).toBe(200);
    });

    test("the last factor of an admin stays, another one may go", async () => {
      const person = await newPerson(the(), "tenant-admin");
      const first = await addApp(the(), person);
      const body = { currentPassword: password };
      const last = await person.call.post(`${path}/${first.factorId}/remove`, body);
      expect(last.json).toMatchObject({ status: 409, code: "conflict" });
      await addApp(the(), person);
      const removed = await person.call.post(`${path}/${first.factorId}/remove`, body);
      expect(removed.status).toBe(200);
    });

    test("a new app in the sign-in belongs to the account of the password", async () => {
      const person = await newPerson(the(), "tenant-admin");
      const other = await newPerson(the(), "tenant-admin");
      const { browser } = await enteredPassword(the(), person.email);
      const { page } = await enteredPassword(the(), other.email);
      const factor = page.forms[0]?.hidden["factor"] ?? "";
      const code = codeOf(secretIn(page), the().now());
      const refused = await browser.press("confirm-app", { factor, code });
      expect(refused.status).toBe(422);
      expect((await other.call.get(path)).json).toMatchObject({ items: [{ status: "pending" }] });
    });
  },
  { options: { factorRule: "administrators" } },
);

describePlatform(
  "a platform that asks everyone for a second factor",
  (the) => {
    test("a new account adds one at its first sign-in after the invitation", async () => {
      const workspace = await newRoot(the());
      const email = `new-${crypto.randomUUID().slice(0, 8)}@example.org`;
      const invited = await the()
        .as("system-admin")
        .post(`${membersPath(workspace)}/invite`, { email, role: "tenant-viewer" });
      const link = String(field(invited.json, "link"));
      const browser = new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));
      await browser.visit(link);
      const fields = { "new-password": password, "repeated-password": password };
      expect((await browser.press("create", fields)).title).toBe("Welcome");
      expect((await browser.visit(authorizeAddress())).title).toBe("Sign in");
      const page = await browser.press("sign-in", { email, password });
      expect(page.title).toBe("Add a second factor");
    });
  },
  { options: { factorRule: "everyone" } },
);
