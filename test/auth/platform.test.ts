import { afterAll, beforeAll, expect, it } from "vitest";
import { signInWithDevice, signIn } from "#auth/sign-in.ts";
import { discover } from "#auth/provider.ts";
import { openSession } from "#auth/session.ts";
import { signOut } from "#auth/sign-out.ts";
import { readSignIn } from "#auth/token-file.ts";
import { createClient } from "#client/index.ts";
import { FormBrowser } from "../server/domains/sign-in/form-browser.ts";
import { createTestPlatform, testBaseUrl, type TestPlatform } from "../support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "../support/postgres.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** Sign-in at the platform's own provider: pages, codes, rotation and all. */

const email = "tenant-staff@example.org";
const password = "correct horse battery staple";

describeEachDatabase("sign-in at the platform", ({ create }) => {
  let database: TestDatabase;
  let the: TestPlatform;
  const fetchPage = (request: Request) => the.platform.fetch(request);

  beforeAll(async () => {
    database = await create();
    the = await createTestPlatform({ database });
    await the.platform.services.signIn.setPassword(the.users["tenant-staff"].oid, password);
  });
  afterAll(async () => {
    await the.close();
    await database.drop();
  });

  async function signedIn() {
    const configDirectory = await temporaryDirectory("sign-in");
    const pages: Promise<Response>[] = [];
    const who = await signIn({
      settings: {
        configDirectory,
        profile: "default",
        baseUrl: testBaseUrl,
        authUrl: `${testBaseUrl}/auth`,
      },
      fetch: fetchPage,
      say: () => undefined,
      openBrowser: async (address) => {
        const browser = new FormBrowser(testBaseUrl, fetchPage);
        await browser.visit(address);
        const { left } = await browser.press("sign-in", { email, password });
        pages.push(fetch(left?.href ?? ""));
      },
    });
    const answered = await Promise.all(pages);
    expect(answered.map(({ status }) => status)).toEqual([200]);
    return { configDirectory, who };
  }

  it("with a browser gives a session that the client can use", async () => {
    const { configDirectory, who } = await signedIn();
    expect(who).toMatchObject({ email, subject: the.users["tenant-staff"].oid });
    const session = openSession({
      configDirectory,
      profile: "default",
      baseUrl: testBaseUrl,
      fetch: fetchPage,
    });
    const client = createClient({
      baseUrl: testBaseUrl,
      token: (rejected) => session.token(rejected),
      fetch: fetchPage,
    });
    expect((await client.identity.me()).email).toBe(email);
    expect(await session.state()).toMatchObject({
      signedIn: true,
      claims: { email },
      renewable: true,
    });
  });

  it("is renewed without a browser, and each refresh token serves once", async () => {
    const { configDirectory } = await signedIn();
    const key = { profile: "default", origin: testBaseUrl };
    const before = await readSignIn(configDirectory, key);
    const later = Date.now() + 24 * 3_600_000;
    const options = { configDirectory, profile: "default", baseUrl: testBaseUrl, fetch: fetchPage };
    const renewed = await openSession({ ...options, now: () => later }).token();
    expect(renewed).not.toBe(before?.accessToken);
    const after = await readSignIn(configDirectory, key);
    expect(after?.refreshToken).not.toBe(before?.refreshToken);
    const client = createClient({ baseUrl: testBaseUrl, token: renewed, fetch: fetchPage });
    expect((await client.identity.me()).email).toBe(email);
  });

  it("ends at the platform when the user signs out", async () => {
    const { configDirectory } = await signedIn();
    const options = { configDirectory, profile: "default", baseUrl: testBaseUrl, fetch: fetchPage };
    const tokens = await readSignIn(configDirectory, { profile: "default", origin: testBaseUrl });
    expect(await signOut(options)).toEqual({ wasSignedIn: true });
    await expect(openSession(options).token()).rejects.toMatchObject({ code: "E101" });
    const { renewTokens } = await import("#auth/refresh.ts");
    const again = renewTokens(tokens!, { fetch: fetchPage }, Date.now());
    expect(await again).toBe("ended");
  });

  it("on another device", async () => {
    const provider = await discover(`${testBaseUrl}/auth`, "svc", { fetch: fetchPage });
    let place = "";
    const tokens = await signInWithDevice(provider, {
      scope: "openid profile email offline_access",
      say: (_words, where) => {
        place = where.url;
      },
      wait: async () => {
        const browser = new FormBrowser(testBaseUrl, fetchPage);
        await browser.visit(place);
        await browser.press("sign-in", { email, password });
        await browser.press("approve");
      },
    });
    const client = createClient({
      baseUrl: testBaseUrl,
      token: tokens.accessToken,
      fetch: fetchPage,
    });
    expect((await client.identity.me()).email).toBe(email);
  });
});
