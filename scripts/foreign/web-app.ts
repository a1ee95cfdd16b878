import { cp } from "node:fs/promises";
import { join } from "node:path";
import { userEnvironment } from "#test/support/environment.ts";
import { startPlatformProcess, type RunningPlatform } from "#test/support/platform-process.ts";
import type { Row } from "../bench/figures.ts";
import { finished } from "../build/finished.ts";
import { freePort } from "../server-program.ts";
import { findChromium, programOf } from "../tools.ts";
import type { Browser, OpenPage } from "./browsers/browser.ts";
import { openChromium } from "./browsers/chromium.ts";
import { openFirefox } from "./browsers/firefox.ts";
import type { Counterpart, ForeignPlace } from "./counterpart.ts";
import { expressionOf, stepsOf } from "./web-app/steps.ts";

const columns = ["steps", "of", "seconds", "console"];
const stepLimitMs = 60_000;
const email = "admin@localhost";
const password = "a long new password";

/** The web app of `svc init`, made in an empty folder without a network, in both browsers. */
export const webApp: Counterpart = {
  name: "web-app",
  about: "a new project's web app in Chromium and Firefox: sign-in, forms, files, chat, sign-out",
  tools: [
    { name: "Chromium", debianPackage: "chromium", find: findChromium },
    programOf("firefox-esr", "firefox-esr"),
  ],
  async run(place) {
    const { directory, executable, note } = place;
    const project = await makeProject(place);
    const rows: Row[] = [];
    const failures: string[] = [];
    for (const [name, open] of Object.entries({ Chromium: openChromium, Firefox: openFirefox })) {
      for (const client of ["the platform's client", "its own client"] as const) {
        const cell = `${name}, ${client}`;
        const dataDir = join(directory, `${cell} data`);
        await using platform = await startPlatformProcess({
          executable,
          dataDir,
          home: directory,
          args: ["--demo"],
        });
        const folder = join(directory, cell);
        await cp(project, folder, { recursive: true, verbatimSymlinks: true });
        const isOwn = client === "its own client";
        await using app = await startApp({ place, folder, platform, isOwn });
        await using browser = await open(folder);
        const { figures, faults } = await tryApp(browser, app.origin, platform);
        note(`${cell}: ${figures.join(", ")}`);
        rows.push({ name: cell, figures });
        failures.push(...faults.map((fault) => `${cell}: ${fault}`));
      }
    }
    return [{ name: "A new web app", columns, rows, failures }];
  },
};

async function run(
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<void> {
  const child = Bun.spawn([...command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const { exitCode, stdout, stderr } = await finished(child);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout}${stderr}`);
}

/** A new project, installed and built without a network. */
async function makeProject({ directory, executable }: ForeignPlace): Promise<string> {
  const env = userEnvironment(directory, { npm_config_offline: "true" });
  await run([executable, "init", "trees"], directory, env);
  const project = join(directory, "trees");
  await run(["npm", "install"], project, env);
  await run(["npm", "run", "build"], project, env);
  return project;
}

interface AppPlace {
  readonly place: ForeignPlace;
  readonly folder: string;
  readonly platform: RunningPlatform;
  /** Whether the app has its own client, as `svc provision entra` registers one. */
  readonly isOwn: boolean;
}

async function startApp({ place, folder, platform, isOwn }: AppPlace) {
  const port = await freePort();
  const env = userEnvironment(place.directory, { BASE_URL_PUBLIC_API: platform.url });
  if (isOwn) {
    await Bun.write(join(folder, ".env.local"), "SVC_APP_KEY=trees\n");
    const redirect = `http://localhost:${port}/auth/callback`;
    const words = ["provision", "entra", "--tenant-id", "planning", "--redirect-uri", redirect];
    const signedIn = { ...env, SVC_TOKEN: await platform.token() };
    await run([place.executable, ...words], folder, signedIn);
  }
  const child = Bun.spawn(["node", "dist/server.mjs"], {
    cwd: folder,
    env: { ...env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { value } = await child.stdout.getReader().read();
  const origin = /http:\S+/.exec(new TextDecoder().decode(value))?.[0] ?? "";
  return {
    origin,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function tryApp(
  browser: Browser,
  origin: string,
  platform: RunningPlatform,
): Promise<{ readonly figures: readonly string[]; readonly faults: readonly string[] }> {
  const startedAtMs = performance.now();
  await using page = await browser.open(`${origin}/`, `document.querySelector("button") !== null`);
  const oneTimePassword = /one-time password[^:]*: (\S+)/.exec(platform.stderr())?.[1] ?? "";
  const steps = stepsOf({ email, oneTimePassword, password });
  let done = 0;
  for (const step of steps) {
    if (!(await isDone(page, expressionOf(step)))) break;
    done += 1;
  }
  // Firefox looks for an icon of the provider's page, whose policy forbids pictures.
  const complaints = page.complaints().filter((text) => !text.includes(`${platform.url}/favicon`));
  const seen = done === steps.length ? "" : await page.evaluate("document.body.innerText");
  const figures = [
    String(done),
    String(steps.length),
    ((performance.now() - startedAtMs) / 1000).toFixed(0),
    String(complaints.length),
  ];
  const stopped = steps[done] === undefined ? [] : [`could not ${steps[done]?.name}; saw ${seen}`];
  return { figures, faults: [...stopped, ...complaints.map((text) => `console: ${text}`)] };
}

/** Tries the step until it is done; a page that is being left answers nothing. */
async function isDone(page: OpenPage, expression: string): Promise<boolean> {
  const endsAtMs = performance.now() + stepLimitMs;
  while (performance.now() < endsAtMs) {
    if ((await page.evaluate(expression).catch(() => "")) === "true") return true;
    await Bun.sleep(100);
  }
  return false;
}
