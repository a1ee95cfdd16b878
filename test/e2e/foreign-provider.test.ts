import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium, missingChromium } from "#test/support/chromium.ts";
import { describeNeeding } from "#test/support/needs.ts";
import {
  foreignAudience,
  foreignClientId,
  foreignScope,
  startOidcProvider,
  type OidcProvider,
} from "#test/support/oidc-provider.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { oneThread, startPlatform, svc } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startLogin } from "./login-process.ts";

describeNeeding("a platform with the users of oidc-provider", missingChromium, () => {
  let provider: OidcProvider;
  let platform: RunningPlatform;
  let browser: Browser;
  let admin: string;
  let staff: string;

  beforeAll(async () => {
    provider = await startOidcProvider();
    const args = [
      `--auth-url=${provider.issuer}`,
      `--auth-audience=${foreignAudience}`,
      `--auth-client-id=${foreignClientId}`,
      `--auth-scope=${foreignScope}`,
      "--admin-email=boss@example.org",
    ];
    [platform, browser, admin, staff] = await Promise.all([
      startPlatform({ args: [oneThread, ...args] }),
      launchChromium(),
      temporaryDirectory("admin"),
      temporaryDirectory("staff"),
    ]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await platform.stop();
    await provider[Symbol.asyncDispose]();
  });

  const run = (home: string, words: string, more: Readonly<Record<string, string>> = {}) =>
    svc(words.split(" "), { home, cwd: home, env: { BASE_URL_PUBLIC_API: platform.url, ...more } });
  const openPage = async (): Promise<Page> => {
    const context: BrowserContext = await browser.newContext();
    // The provider's pages ask for a font of another host.
    await context.route(/googleapis/, (route) => route.abort());
    return context.newPage();
  };
  const enter = async (page: Page, who: string): Promise<void> => {
    await page.fill("[name=login]", who);
    await page.fill("[name=password]", "any password");
    await page.click("[type=submit]");
    await page.click("button:has-text('Continue'), [type=submit]:has-text('Continue')");
  };

  test("the administrator signs in with a browser, by what the platform names", async () => {
    const login = await startLogin(admin, platform.url);
    const address = await login.said(/http:\S+\/auth\?\S+/);
    expect(new URL(address).origin).toBe(provider.issuer);
    const page = await openPage();
    await page.goto(address);
    await enter(page, "boss");
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    expect(await login.exited).toBe(0);
    const who = await run(admin, "whoami --format json");
    expect(JSON.parse(who.stdout)).toMatchObject({ email: "boss@example.org", renewable: true });
    const create = "workspace create --name=Planning --slug=planning --allow-root --home-region=eu";
    expect(await run(admin, create)).toMatchObject({ exitCode: 0 });
    const rule = "user rule set planners --role tenant-staff --workspace planning";
    expect(await run(admin, rule)).toMatchObject({ exitCode: 0 });
  }, 60_000);

  test("a member by a group signs in with the code of a device", async () => {
    const login = await startLogin(staff, platform.url, ["--device"]);
    const code = await login.said(/\b[A-Z]{4}-[A-Z]{4}\b/);
    const page = await openPage();
    await page.goto(`${provider.issuer}/device`);
    await page.fill("[name=user_code]", code);
    await page.click("[type=submit]");
    await page.click("[type=submit]:has-text('Continue'), [type=submit]");
    await enter(page, "ada");
    await page.waitForSelector("text=Success");
    expect(await login.exited).toBe(0);
    const list = await run(staff, "workspace list --all --format json");
    expect(JSON.parse(list.stdout)).toMatchObject({
      items: [{ slug: "planning", role: "tenant-staff" }],
    });
  }, 60_000);

  test("a refresh goes to the issuer of the token, whatever the settings say then", async () => {
    const seen: string[] = [];
    using other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        seen.push(request.url);
        return new Response(null, { status: 404 });
      },
    });
    const file = Bun.file(join(admin, ".svc", "tokens.json"));
    const text = await file.text();
    await Bun.write(
      file,
      text.replace(/"expiresAt": "[^"]+"/, '"expiresAt": "2020-01-01T00:00:00.000Z"'),
    );
    const before = provider.calls.length;
    const env = { SVC_AUTH_URL: other.url.origin };
    expect(await run(admin, "workspace list", env)).toMatchObject({ exitCode: 0 });
    const calls = provider.calls
      .slice(before)
      .map(({ path, form }) => [path, form.get("grant_type")]);
    expect(calls).toEqual([["/token", "refresh_token"]]);
    expect(await file.text()).not.toBe(text);
    expect(seen).toEqual([]);
  }, 60_000);

  test("a sign-out revokes at the provider, and no token is minted that it would refuse", async () => {
    const before = provider.calls.length;
    expect(await run(admin, "logout")).toMatchObject({ exitCode: 0 });
    expect(provider.calls.slice(before).map(({ path }) => path)).toEqual(["/token/revocation"]);
    for (const words of ["serve token", "serve admin reset --force"]) {
      const refused = await run(admin, `${words} --data-dir ${platform.dataDir} --format json`);
      expect(refused).toMatchObject({ exitCode: 1 });
      expect(JSON.parse(refused.stdout)).toMatchObject({
        error: { code: "E205", message: expect.stringContaining(provider.issuer) },
      });
    }
  }, 60_000);
});
