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
