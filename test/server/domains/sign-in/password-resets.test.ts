import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PasswordResets } from "#server/domains/sign-in/password-resets.ts";
import { Tickets } from "#server/domains/sign-in/tickets.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import type { Mailer } from "#server/kit/mail/mail.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  caller,
  field,
  openTestPlatform,
  testBaseUrl,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { startSmtpServer, type SmtpTestServer } from "#test/support/smtp-server.ts";
import { codeOf } from "../factors/app-codes.ts";
import { authorizeAddress, FormBrowser } from "./form-browser.ts";

const former = "the password that I forgot";
const chosen = "a password that I chose";
const forgot = "/auth/password";

describeEachDatabase("a forgotten password", ({ engine }) => {
  let server: SmtpTestServer;
  let the: TestPlatform;
  beforeAll(async () => {
    server = await startSmtpServer();
    const smtpUrl = `smtp://127.0.0.1:${server.port}?from=Svc <svc@example.org>`;
    the = await openTestPlatform(engine, { options: { smtpUrl } });
  });
  afterAll(async () => {
    await the.close();
    await server[Symbol.asyncDispose]();
  });

  const open = () => new FormBrowser(testBaseUrl, (request) => the.platform.fetch(request));
  const accountOf = async (user: TestUser) => {
    const account = the.users[user];
    await the.platform.services.signIn.setPassword(account.oid, former);
    return account;
  };
  const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
  const request = async (email: string, browser = open()) => {
    await browser.visit(forgot);
    return browser.press("send-link", { email });
  };
  /** The link of the next mail to this address, which a request has started. */
  const linkFor = async (email: string): Promise<string> => {
    const before = mailsTo(email).length;
    await request(email);
    const mail = await eventually(() => {
      const mails = mailsTo(email);
      expect(mails.length).toBeGreaterThan(before);
      return mails.at(-1)!;
    });
    const { text = "" } = await PostalMime.parse(mail.data);
    return /http\S+ticket=\S+/.exec(text)?.[0] ?? "no link";
  };
  const choose = (browser: FormBrowser, first = chosen, second = first) =>
    browser.press("reset-password", { "new-password": first, "repeated-password": second });
  const signIn = async (email: string, password: string) => {
    const browser = open();
    await browser.visit(authorizeAddress());
    return { browser, page: await browser.press("sign-in", { email, password }) };
  };

  test("is replaced by the link of a mail, which greets by name and works once", async () => {
    const { email, token } = await accountOf("tenant-viewer");
    const before = await signIn(email, former);
    expect(before.page.status).toBe(303);
    expect((await open().visit(authorizeAddress())).links).toContain(forgot);
    const link = await linkFor(email);
    const { subject, text, html } = await PostalMime.parse(mailsTo(email).at(-1)?.data ?? "");
    expect(subject).toBe("A new password for your account");
    expect(text).toMatch(/^Hello tenant-viewer,\n/);
    expect(html).toContain(link);

    const browser = open();
    expect((await browser.visit(link)).title).toBe("Choose a password");
    expect((await choose(browser, "short")).text).toContain("at least 12 characters");
    expect((await choose(browser, chosen, "another one of these")).status).toBe(422);
    expect((await choose(browser)).title).toBe("Your password is changed");
    expect((await browser.visit(authorizeAddress())).text).toContain(`Continue as ${email}`);
    // The other browser's session and the token of a script have ended.
    expect((await before.browser.visit(authorizeAddress())).title).toBe("Sign in");
    const script = caller((sent) => the.platform.fetch(sent), token);
    expect((await script.get("/v4/identity/me")).status).toBe(401);
    expect((await signIn(email, former)).page.status).toBe(401);
    expect((await signIn(email, chosen)).page.status).toBe(303);

    expect((await open().visit(link)).status).toBe(404);
    const log = await the.as("system-admin").get("/v4/platform/audit?limit=100");
    for (const action of ["identity.requestPasswordReset", "identity.resetPassword"]) {
      const entries = (field(log.json, "items") as object[]).filter(
        (entry) => field(entry, "action") === action,
      );
      expect(entries).toMatchObject([{ outcome: "done", changes: { target: { email } } }]);
    }
    expect(log.text).not.toContain(link.split("ticket=")[1]);
  });

  test("gets the same page without a mail where no account may reset one", async () => {
    const known = await accountOf("tenant-admin");
    const sent = await request(known.email);
    await eventually(() => expect(mailsTo(known.email)).toHaveLength(1));
    const { oid, email: disabled } = await accountOf("tenant-builder");
    await the.as("system-admin").post(`/v4/platform/users/${oid}/disable`);
    // The default address of the first user is no one's, and the outsider has no password.
    const others = ["unknown@example.org", disabled, "admin@localhost", the.users.outsider.email];
    for (const email of others) {
      const page = await request(email);
      expect({ ...page, headers: undefined }).toEqual({ ...sent, headers: undefined });
    }
    expect((await request("no address")).status).toBe(422);
    await linkFor(known.email);
    expect(others.flatMap(mailsTo)).toEqual([]);
    await the.as("system-admin").post(`/v4/platform/users/${oid}/enable`);
  });

  test("has a link until 30 minutes later, or until the password changes", async () => {
    const { oid, email } = await accountOf("tenant-staff");
    const [first, second] = [await linkFor(email), await linkFor(email)];
    the.advance(29 * 60_000);
    expect((await open().visit(first)).title).toBe("Choose a password");
    const late = open();
    await late.visit(second);
    await the.platform.services.signIn.setPassword(oid, former);
    expect((await choose(late)).title).toBe("Forgot password");
    const third = await linkFor(email);
    the.advance(30 * 60_000 + 1);
    expect((await open().visit(third)).status).toBe(404);
    expect((await open().visit(`${forgot}?ticket=${oid}.9999999999999.forged`)).status).toBe(404);
  });

  test("leaves the second factor: the sign-in after it asks for its code", async () => {
    const { email, token } = await accountOf("tenant-staff");
    const own = caller((sent) => the.platform.fetch(sent), token);
    const factors = "/v4/identity/me/factors";
    const added = await own.post(factors, { currentPassword: former });
    const secret = String(field(added.json, "secret"));
    const id = String(field(field(added.json, "factor"), "factorId"));
    const code = () => codeOf(secret, the.now());
    expect((await own.post(`${factors}/${id}/confirm`, { code: code() })).status).toBe(200);
    the.advance(30_000);
    const browser = open();
    await browser.visit(await linkFor(email));
    expect((await choose(browser)).title).toBe("Second factor");
    expect(browser.cookies.has("svc_session")).toBe(false);
    const ended = await browser.press("show-code", { code: code() });
    expect(ended.title).toBe("Your password is changed");
    expect(browser.cookies.has("svc_session")).toBe(true);
  });

  test("mails a few links in a row only, whatever the case of the address", async () => {
    const { email } = await accountOf("tenant-admin");
    the.advance(20 * 60_000);
    const before = mailsTo(email).length;
    for (const each of [email, email.toUpperCase(), email, email, email]) await request(each);
    await eventually(() => expect(mailsTo(email)).toHaveLength(before + 3));
    the.advance(5 * 60_000);
    await linkFor(email);
    expect(mailsTo(email)).toHaveLength(before + 4);
  });

  test("has no link to a host that only a request has named", async () => {
    const { read } = the.platform.platformWork("a test");
    const quiet = { info: () => {}, warn: () => {}, error: () => {} };
    const lifetime = new LifetimeOwner(quiet);
    const parts = { read, now: the.now, key: new Uint8Array(32) };
    const of = (configuredUrl: string | undefined, mailer: Mailer | undefined) =>
      new PasswordResets({
        ...parts,
        platformWork: the.platform.platformWork,
        lifetime,
        tickets: new Tickets(parts),
        mailer,
        logger: quiet,
        configuredUrl: () => configuredUrl,
      });
    const mailer = { send: () => Promise.resolve() };
    expect(of(undefined, mailer).canMail("http://10.1.2.3:4400")).toBe(false);
    expect(of(undefined, mailer).canMail("http://127.0.0.1:4400")).toBe(true);
    const configured = "https://svc.example.org";
    expect(of(configured, mailer).canMail("http://10.1.2.3:4400")).toBe(true);
    expect(of(configured, undefined).canMail(configured)).toBe(false);
    await lifetime.close();
  });
});
