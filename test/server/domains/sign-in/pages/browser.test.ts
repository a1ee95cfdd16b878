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
});
