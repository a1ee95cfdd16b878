import { describe, expect, test } from "vitest";
import { describePlatform, testBaseUrl } from "#test/support/platform.ts";
import { authorizeAddress, FormBrowser } from "../form-browser.ts";

const password = "correct horse battery staple";
const email = "tenant-staff@example.org";

describePlatform("the sign-in page", (the) => {
  const newBrowser = (): FormBrowser =>
    new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));
  const withPassword = async (): Promise<void> => {
    const { signIn } = the().platform.services;
    await signIn.setPassword(the().users["tenant-staff"].oid, password);
  };

  describe("as a page", () => {
    test("has no frame and no script, and its form leads only to the client", async () => {
      const page = await newBrowser().visit(authorizeAddress());
      expect(page.status).toBe(200);
      expect(page.title).toBe("Sign in");
      expect(Object.fromEntries(page.headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
      });
      const policy = String(page.headers.get("content-security-policy"));
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self' http://127.0.0.1:49152");
      expect(policy).not.toContain("script-src");
      expect(policy).not.toContain("unsafe-inline");
      expect(page.html).not.toContain("<script");
    });

    test("works with a screen reader and a password manager", async () => {
      const { html } = await newBrowser().visit(authorizeAddress());
      expect(html).toContain('<html lang="en">');
      expect(html).toContain('<label for="email">E-mail address</label>');
      expect(html).toContain('<label for="password">Password</label>');
      expect(html).toContain('autocomplete="username"');
      expect(html).toContain('autocomplete="current-password"');
    });

    test("announces a fault to a screen reader", async () => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const page = await browser.press("sign-in", { email, password: "wrong" });
      expect(page.html).toContain(
        '<p class="fault" role="alert">The e-mail address or password is not correct.</p>',
      );
    });

    test("shows a value of its address as text only", async () => {
      const hint = '"><script>alert(1)</script>';
      const page = await newBrowser().visit(authorizeAddress({ login_hint: hint }));
      expect(page.html).not.toContain("<script>");
      expect(page.html).toContain("&quot;&gt;&lt;script&gt;");
    });
  });

  describe("with a password", () => {
    test("leads back to the client with a code, the state and the issuer", async () => {
      await withPassword();
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const { status, left, headers } = await browser.press("sign-in", { email, password });
      expect(status).toBe(303);
      expect(left?.origin).toBe("http://127.0.0.1:49152");
      expect(left?.pathname).toBe("/callback");
      expect(Object.fromEntries(left?.searchParams ?? [])).toEqual({
        code: expect.stringMatching(/^[\w-]{43}$/),
        state: "a-state",
        iss: `${testBaseUrl}/auth`,
      });
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    });

    test("sets a cookie that no script and no other site can read", async () => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const { headers } = await browser.press("sign-in", { email, password });
      const cookie = headers.getSetCookie().find((line) => line.startsWith("svc_session="));
      expect(cookie).toMatch(
        /^svc_session=[\w-]{43}; Path=\/auth; HttpOnly; SameSite=Lax; Max-Age=43200$/,
      );
    });

    test.each([
      [email, "wrong password"],
      ["unknown@example.org", password],
      [email, ""],
      ["", ""],
      // Invited, without a chosen password.
      ["tenant-viewer@example.org", password],
    ])("that is not correct gets no further detail: %s", async (who, tried) => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const page = await browser.press("sign-in", { email: who, password: tried });
      expect(page.status).toBe(401);
      expect(page.left).toBeUndefined();
      expect(page.headers.getSetCookie().join()).not.toContain("svc_session");
      expect(page.html).not.toContain(tried === "" ? "\0" : tried);
    });

    test("accepts the address in any case and with blanks", async () => {
      await withPassword();
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const { status } = await browser.press("sign-in", {
        email: " Tenant-Staff@EXAMPLE.org ",
        password,
      });
      expect(status).toBe(303);
    });

    test("can be cancelled, and the client is informed", async () => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const { left } = await browser.press("cancel");
      expect(Object.fromEntries(left?.searchParams ?? [])).toMatchObject({
        error: "access_denied",
        error_description: "the sign-in was cancelled",
        state: "a-state",
      });
    });
  });

  describe("in a browser that is signed in", () => {
    const signedIn = async (): Promise<FormBrowser> => {
      await withPassword();
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      await browser.press("sign-in", { email, password });
      return browser;
    };

    test("asks for one click before it signs in a client", async () => {
      const browser = await signedIn();
      const page = await browser.visit(authorizeAddress());
      expect(page.text).toContain(`Continue as ${email}`);
      expect(page.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(false);
      const { left } = await browser.press("continue");
      expect(left?.searchParams.get("code")).toBeTruthy();
    });

    test("offers another account", async () => {
      const browser = await signedIn();
      const page = await browser.visit(authorizeAddress());
      const other = await browser.visit(String(page.links[0]));
      expect(other.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(true);
    });

    test("asks for the password again with prompt=login", async () => {
      const browser = await signedIn();
      const page = await browser.visit(authorizeAddress({ prompt: "login" }));
      expect(page.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(true);
    });

    test("asks for the password again after max_age", async () => {
      const browser = await signedIn();
      const address = authorizeAddress({ max_age: "60" });
      expect((await browser.visit(address)).text).toContain(`Continue as ${email}`);
      the().advance(61_000);
      const late = await browser.press("continue");
      expect(late.left).toBeUndefined();
      expect(late.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(true);
      const { left } = await browser.press("sign-in", { email, password });
      expect(left?.searchParams.get("code")).toBeTruthy();
      const silent = await browser.visit(authorizeAddress({ max_age: "0", prompt: "none" }));
      expect(silent.left?.searchParams.get("error")).toBe("login_required");
      const wrong = await browser.visit(authorizeAddress({ max_age: "soon" }));
      expect(wrong.left?.searchParams.get("error")).toBe("invalid_request");
    });

    test("never continues without asking, not even with prompt=none", async () => {
      const browser = await signedIn();
      const page = await browser.visit(authorizeAddress({ prompt: "none" }));
      expect(page.left?.searchParams.get("error")).toBe("interaction_required");
      const stranger = await newBrowser().visit(authorizeAddress({ prompt: "none" }));
      expect(stranger.left?.searchParams.get("error")).toBe("login_required");
    });

    test("can sign out", async () => {
      const browser = await signedIn();
      await browser.visit("/auth/oauth2/v2.0/logout");
      expect((await browser.press("sign-out")).title).toBe("Signed out");
      expect(browser.cookies.has("svc_session")).toBe(false);
      const page = await browser.visit(authorizeAddress());
      expect(page.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(true);
    });

    test("is signed out after a changed password and after twelve hours", async () => {
      const browser = await signedIn();
      await withPassword();
      const changed = await browser.visit(authorizeAddress());
      expect(changed.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(true);
      const other = await signedIn();
      the().advance(12 * 60 * 60 * 1000 + 1000);
      const late = await other.visit(authorizeAddress());
      expect(late.forms.some(({ buttons }) => buttons.includes("sign-in"))).toBe(true);
    });
  });

  describe("with a request that could send a code elsewhere", () => {
    test.each([
      "http://evil.example/callback",
      "https://127.0.0.1:49152/callback",
      "http://127.0.0.1:49152/other",
      "http://127.0.0.1:49152/callback/",
      "http://127.0.0.1:49152/callback?next=http://evil.example",
      "http://127.0.0.1:49152/callback#x",
      "http://127.0.0.1:49152@evil.example/callback",
      "http://user:secret@127.0.0.1:49152/callback",
      "http://localhost:49152/callback",
      "http://127.0.0.2:49152/callback",
      "http://127.0.0.1.evil.example/callback",
      "javascript:alert(1)",
      "/callback",
      "",
    ])("never redirects to %s", async (uri) => {
      const page = await newBrowser().visit(authorizeAddress({ redirect_uri: uri }));
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
      expect(page.text).toContain("The redirect address is not allowed.");
    });

    test("never redirects for an unknown application", async () => {
      const page = await newBrowser().visit(authorizeAddress({ client_id: "other" }));
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
    });

    test("refuses a repeated parameter", async () => {
      const address = `${authorizeAddress()}&redirect_uri=http%3A%2F%2Fevil.example`;
      const page = await newBrowser().visit(address);
      expect(page.status).toBe(400);
      expect(page.left).toBeUndefined();
    });
  });

  describe("with an invalid request of a known client", () => {
    test.each([
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ response_mode: "fragment" }, "invalid_request"],
      [{ code_challenge: undefined }, "invalid_request"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: undefined }, "invalid_request"],
      [{ code_challenge: "short" }, "invalid_request"],
      [{ scope: "openid admin" }, "invalid_scope"],
      [{ request: "x.y.z" }, "request_not_supported"],
      [{ request_uri: "http://evil.example" }, "request_uri_not_supported"],
    ])("%j, informs the client: %s", async (change, error) => {
      const page = await newBrowser().visit(authorizeAddress(change));
      expect(page.left?.origin).toBe("http://127.0.0.1:49152");
      expect(page.left?.searchParams.get("error")).toBe(error);
      expect(page.left?.searchParams.get("state")).toBe("a-state");
    });
  });

  describe("with a form from another site", () => {
    test("is refused by its origin before anything is read", async () => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      const page = await browser.press(
        "sign-in",
        { email, password },
        { origin: "http://evil.example" },
      );
      expect(page.status).toBe(403);
      expect(page.text).toContain("origin");
      expect(page.headers.getSetCookie()).toEqual([]);
    });

    test("does nothing without a form of this browser", async () => {
      await withPassword();
      const attacker = newBrowser();
      await attacker.visit(authorizeAddress());
      const stolen = attacker.page.forms[0]?.hidden["form"] ?? "";
      for (const form of ["", "forged", stolen]) {
        const victim = newBrowser();
        await victim.visit(authorizeAddress());
        const page = await victim.press("sign-in", { email, password, form });
        expect(page.left).toBeUndefined();
        expect(page.text).toContain("This page was open for too long.");
        expect(page.headers.getSetCookie().join()).not.toContain("svc_session");
      }
    });

    test("does nothing in a browser that has no form", async () => {
      const body = new URLSearchParams({ action: "sign-in", email, password, form: "x" });
      const address = testBaseUrl + authorizeAddress();
      const response = await the().platform.fetch(new Request(address, { method: "POST", body }));
      expect(response.status).toBe(401);
      expect(await response.text()).toContain("This page was open for too long.");
      expect(response.headers.getSetCookie().join()).not.toContain("svc_session");
    });
  });
});
