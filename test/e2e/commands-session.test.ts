import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { userEnvironment } from "#test/support/environment.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { oneThread, startPlatform, svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { FormBrowser } from "../server/domains/sign-in/form-browser.ts";

const email = "admin@localhost";
const password = "correct horse battery staple";
const stored = z.object({
  version: z.literal(1),
  signIns: z.tuple([
    z.looseObject({
      tokens: z.looseObject({ accessToken: z.string(), refreshToken: z.string() }),
    }),
  ]),
});

let platform: RunningPlatform;
let home = "";

/** `svc login` as a person does it, with a browser that has no windows. */
async function login(): Promise<void> {
  const child = Bun.spawn([await svcExecutable(), "login"], {
    cwd: home,
    env: userEnvironment(home, { BASE_URL_PUBLIC_API: platform.url, BROWSER: "none" }),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 30_000,
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stderr) {
    text += decoder.decode(chunk, { stream: true });
    const address = /http:\S+authorize\S+(?=\s)/.exec(text)?.[0];
    if (address === undefined) continue;
    const browser = new FormBrowser(platform.url, (request) => fetch(request));
    await browser.visit(address);
    const oneTime = /one-time password[^:]*: (\S+)/.exec(platform.stderr())?.[1] ?? "";
    await browser.press("sign-in", { email, password: oneTime });
    const { left } = await browser.press("choose-password", {
      "new-password": password,
      "repeated-password": password,
    });
    expect((await fetch(left?.href ?? "")).status).toBe(200);
    break;
  }
  expect(await child.exited).toBe(0);
}

const call = (...words: string[]) =>
  svc([...words, "--format", "json"], { home, env: { BASE_URL_PUBLIC_API: platform.url } });

async function readStored() {
  const { signIns } = stored.parse(await Bun.file(join(home, ".svc/tokens.json")).json());
  return signIns[0];
}

async function change(facts: Readonly<Record<string, string>>): Promise<void> {
  const signIn = await readStored();
  const content = { version: 1, signIns: [{ ...signIn, tokens: { ...signIn.tokens, ...facts } }] };
  await Bun.write(join(home, ".svc/tokens.json"), JSON.stringify(content));
}

beforeAll(async () => {
  [platform, home] = await Promise.all([
    startPlatform({ args: [oneThread] }),
    temporaryDirectory("home"),
  ]);
  await login();
}, 60_000);

describe("a stored sign-in", () => {
  test("serves the following calls, with no token in the environment", async () => {
    const { stdout, exitCode } = await call("publicapi", "get", "/v4/identity/me");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ email });
  });

  test("that has run out is renewed silently, once, by however many processes", async () => {
    const { tokens: before } = await readStored();
    await change({ expiresAt: new Date(Date.now() - 60_000).toISOString() });
    const calls = await Promise.all(
      Array.from({ length: 6 }, () => call("publicapi", "get", "/v4/identity/me")),
    );
    for (const { exitCode, stdout, stderr } of calls) {
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ email });
    }
    const { tokens: after } = await readStored();
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(await readdir(join(home, ".svc"))).not.toContain("tokens.json.tmp");
  });

  test("that can't be renewed is E102, exit code 4, and says what to do", async () => {
    await change({ expiresAt: new Date(0).toISOString(), refreshToken: "not-a-refresh-token" });
    const { stdout, exitCode } = await call("publicapi", "get", "/v4/identity/me");
    expect(exitCode).toBe(4);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "E102",
        message: "Access token expired",
        suggestion: "Run `svc login`",
        exitCode: 4,
      },
    });
  });
});

test("a token of the environment that has run out is E102, and is not renewed", async () => {
  const minted = await svc(
    ["serve", "token", "--data-dir", platform.dataDir, "--ttl", "1s", "--format", "json"],
    { home },
  );
  const { token } = z.object({ token: z.string() }).parse(JSON.parse(minted.stdout));
  await Bun.sleep(1_100);
  const { stdout, exitCode } = await svc(["workspace", "list", "--format", "json"], {
    home,
    env: { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: token },
  });
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: "E102", exitCode: 4, hint: "SVC_TOKEN has expired: set a new one" },
  });
});
