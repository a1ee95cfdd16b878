import { describe, expect, test } from "vitest";
import { updateUser, userByEmail } from "#server/domains/identity/service.ts";
import { wholeOf } from "#test/support/databases.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { describePlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import { testWorks } from "#test/support/work.ts";
import { invite as inviteTo } from "../members/world.ts";
import { authorizeAddress, FormBrowser } from "./form-browser.ts";

/** Gives the account of this address, made if it is missing, a one-time password for seven days. */
async function oneTimePasswordFor(the: TestPlatform, email: string): Promise<string> {
  const oneTime = `once-${crypto.randomUUID()}`;
  const { now } = the;
  const hash = await the.platform.services.signIn.passwords.hash(oneTime, email);
  const database = wholeOf(
    await openPlatformDatabase({ url: the.databaseUrl, isExclusive: false, now }),
  );
  try {
    if ((await userByEmail(database.read, email)) === undefined) {
      const secret = await inviteTo(the, the.workspaces.tenant, { email });
      await the.platform.services.invitations.admit(secret);
    }
    await testWorks(database).work.write(async (tx) => {
      const user = await userByEmail(tx, email);
      await updateUser(tx, user?.oid ?? "", {
        password_hash: hash,
        password_state: "one-time",
        password_expires_at: new Date(now().getTime() + 7 * 24 * 60 * 60 * 1000).toISOString(),
      });
    });
  } finally {
    await database.close();
  }
  return oneTime;
}

describePlatform("a one-time password", (the) => {
  const newBrowser = (): FormBrowser =>
    new FormBrowser(testBaseUrl, (request) => the().platform.fetch(request));

  describe("with a one-time password", () => {
    const invite = (who: string): Promise<string> => oneTimePasswordFor(the(), who);
    const shown = async (who: string, oneTime: string): Promise<FormBrowser> => {
      const browser = newBrowser();
      await browser.visit(authorizeAddress());
      await browser.press("sign-in", { email: who, password: oneTime });
      return browser;
    };
    const choose = (browser: FormBrowser, first: string, second = first) =>
      browser.press("choose-password", { "new-password": first, "repeated-password": second });

    test("must be replaced; then only the new password signs in", async () => {
      const who = "first@example.org";
      const oneTime = await invite(who);
      const browser = await shown(who, oneTime);
      expect(browser.page.title).toBe("Choose a password");
      expect(browser.page.html).not.toContain(oneTime);
      const { left } = await choose(browser, "a password that I chose");
      expect(left?.searchParams.get("code")).toBeTruthy();
      expect((await shown(who, oneTime)).page.status).toBe(401);
      expect((await shown(who, "a password that I chose")).page.status).toBe(303);
    });

    test.each([
      ["short", "short", "at least 12 characters"],
      ["a password that I chose", "another that I chose", "not the same"],
      ["third@example.org", "third@example.org", "not your e-mail address"],
      ["aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "more different characters"],
      ["x".repeat(200) + "abcdef".repeat(20), undefined, "at most 256 characters"],
    ])("cannot be replaced by %j", async (first, second, fault) => {
      const who = "third@example.org";
      const browser = await shown(who, await invite(who));
      const page = await choose(browser, first, second);
      expect(page.status).toBe(422);
      expect(page.text).toContain(fault);
    });

    test("cannot be replaced by itself", async () => {
      const who = "fourth@example.org";
      const oneTime = await invite(who);
      const page = await choose(await shown(who, oneTime), oneTime);
      expect(page.text).toContain("a password that is not the one-time password");
    });

    test("must be entered before another can be chosen", async () => {
      const who = "fifth@example.org";
      const browser = await shown(who, await invite(who));
      const ticket = browser.page.forms[0]?.hidden["ticket"] ?? "";
      const [oid, end, mac] = ticket.split(".");
      const { oid: other } = the().users["tenant-admin"];
      for (const forged of ["", `${other}.${end}.${mac}`, `${oid}.9999999999999.${mac}`]) {
        const page = await browser.press("choose-password", {
          ticket: forged,
          "new-password": "a password that I chose",
          "repeated-password": "a password that I chose",
        });
        expect(page.status).toBe(401);
        await browser.visit(authorizeAddress());
        await browser.press("sign-in", { email: who, password: await invite(who) });
      }
    });

    test("is valid until its end", async () => {
      const who = "sixth@example.org";
      const oneTime = await invite(who);
      the().advance(7 * 24 * 60 * 60 * 1000 - 60_000);
      expect((await shown(who, oneTime)).page.title).toBe("Choose a password");
      the().advance(60_001);
      expect((await shown(who, oneTime)).page.status).toBe(401);
    });
  });
});
