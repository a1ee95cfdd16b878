import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { userEnvironment } from "#test/support/environment.ts";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import type { Row } from "../bench/figures.ts";
import { finished } from "../build/finished.ts";
import { freePort } from "../server-program.ts";
import { findChromium } from "../tools.ts";
import type { Browser } from "./browsers/browser.ts";
import { openChromium } from "./browsers/chromium.ts";
import type { Counterpart, ForeignPlace } from "./counterpart.ts";
import { appSource } from "./passport/app.ts";
import { expressionOf, signInUntil } from "./web-app/steps.ts";

const email = "admin@localhost";
const password = "a long new password";
const stepLimitMs = 60_000;

/** Each registration, and the text that the app shows in the end. */
const cells = [
  { name: "registered with --pkce optional", words: ["--pkce", "optional"], ends: "signed in as" },
  { name: "registered without it", words: [], ends: "refused:" },
] as const;

/** A library for sign-ins that has no PKCE (RFC 7636), in an app with a secret. */
export const passport: Counterpart = {
  name: "passport",
  about: "an app that signs in with passport-openidconnect, whose registration allows it",
  tools: [{ name: "Chromium", debianPackage: "chromium", find: findChromium }],
  packages: [
    "express@5.3.0",
    "express-session@1.19.0",
    "passport@0.7.0",
    "passport-openidconnect@0.1.2",
  ],
  async run(place) {
    const { directory, executable, note, packages } = place;
    await Bun.write(join(dirname(packages), "app.mjs"), appSource);
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const { name, words, ends } of cells) {
      const folder = join(directory, name);
      await mkdir(folder);
      await using platform = await startPlatformProcess({
        executable,
        dataDir: join(folder, "data"),
        home: directory,
        args: ["--demo"],
      });
      await using app = await startApp(place, folder, platform, words);
      await using browser = await openChromium();
      const shown = await signedIn(browser, app.origin, platform, ends);
      note(`${name}: ${shown}`);
      rows.push({ name, figures: [shown] });
      const expected = ends === "refused:" ? ends : `${ends} ${email}`;
      if (!shown.startsWith(expected)) failures.push(`${name}: the app shows "${shown}"`);
    }
    return [{ name: "passport-openidconnect", columns: ["the app shows"], rows, failures }];
  },
};

async function startApp(
  { directory, executable, packages }: ForeignPlace,
  folder: string,
  platform: RunningPlatform,
  words: readonly string[],
) {
  const port = await freePort();
  await Bun.write(join(folder, ".env.local"), "SVC_APP_KEY=desk\n");
  const env = userEnvironment(directory, {
    BASE_URL_PUBLIC_API: platform.url,
    SVC_TOKEN: await platform.token(),
  });
  const redirect = `http://localhost:${port}/auth/callback`;
  const register = ["provision", "entra", "--tenant-id", "planning", "--redirect-uri", redirect];
  const child = Bun.spawn([executable, ...register, ...words], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { exitCode, stderr } = await finished(child);
  if (exitCode !== 0) throw new Error(`svc provision entra failed:\n${stderr}`);
  const text = await Bun.file(join(folder, ".env.local")).text();
  const settingOf = (name: RegExp): string => name.exec(text)?.[1] ?? "";
  const server = Bun.spawn(["node", join(dirname(packages), "app.mjs")], {
    env: userEnvironment(directory, {
      PORT: String(port),
      ISSUER: settingOf(/ISSUER="?([^"\n]+)/),
      CLIENT_ID: settingOf(/CLIENT_ID="?([^"\n]+)/),
      CLIENT_SECRET: settingOf(/CLIENT_SECRET="?([^"\n]+)/),
    }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await server.stdout.getReader().read();
  return {
    origin: new TextDecoder().decode(value).trim(),
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.exited;
    },
  };
}

/** The app's text after the sign-in of the first user. */
async function signedIn(
  browser: Browser,
  origin: string,
  platform: RunningPlatform,
  ends: string,
): Promise<string> {
  await using page = await browser.open(`${origin}/sign-in`, "document.body !== null");
  const oneTimePassword = /one-time password[^:]*: (\S+)/.exec(platform.stderr())?.[1] ?? "";
  const isOver = `(shows("signed in as") || shows("refused:") || shows(${JSON.stringify(ends)}))`;
  const expression = signInUntil(isOver, { email, oneTimePassword, password });
  const step = expressionOf({ name: "sign in", expression });
  const endsAtMs = performance.now() + stepLimitMs;
  while (performance.now() < endsAtMs) {
    // A page that is being left answers nothing.
    if ((await page.evaluate(step).catch(() => "")) === "true") break;
    await Bun.sleep(100);
  }
  return (await page.evaluate("document.body.innerText")).trim();
}
