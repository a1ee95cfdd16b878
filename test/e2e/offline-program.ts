/**
 * `bun offline-program.ts RELEASE PLACE`: what a user of a machine without a network does with a
 * release folder. Prints what happened as JSON.
 */
import { join } from "node:path";
import { authorizeAddress, FormBrowser } from "../server/domains/sign-in/form-browser.ts";
import { userEnvironment } from "../support/environment.ts";
import { startPlatformProcess } from "../support/platform-process.ts";

const [release = "", place = ""] = process.argv.slice(2);
const executable = join(place, "prefix/bin/svc");
const env = userEnvironment(place, {});

function run(...command: readonly string[]): { exitCode: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: place, env });
  return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** The platform prints it after its address. */
async function oneTimePassword(): Promise<string> {
  for (let looks = 0; looks < 100; looks += 1) {
    const found = /one-time password[^:]*: (\S+)/.exec(platform.stderr())?.[1];
    if (found !== undefined) return found;
    await Bun.sleep(50);
  }
  throw new Error(`no one-time password: ${platform.stderr()}`);
}

const words = ["--prefix", join(place, "prefix"), "--target", "linux-x64"];
const installed = run("/bin/sh", join(release, "install.sh"), ...words);
const version = run(executable, "--version").stdout.trim();
await using platform = await startPlatformProcess({
  executable,
  dataDir: join(place, "data"),
  home: place,
});
const oneTime = await oneTimePassword();
const browser = new FormBrowser(platform.url, async (request) => {
  const body = request.method === "GET" ? undefined : await request.text();
  const { method, url } = request;
  return fetch(url, {
    method,
    headers: Object.fromEntries(request.headers),
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
});
await browser.visit(authorizeAddress());
await browser.press("sign-in", { email: "admin@localhost", password: oneTime });
const password = "a password that I chose";
const fields = { "new-password": password, "repeated-password": password };
const { left } = await browser.press("choose-password", fields);
const docs = await fetch(`${platform.url}/docs`);
const tour = run(executable, "demo");
await platform.stop();
const removed = run("/bin/sh", join(release, "install.sh"), "--prefix", words[1] ?? "", "--remove");
console.log(
  JSON.stringify({
    installed,
    version,
    code: left?.searchParams.get("code"),
    docs: docs.status,
    tour,
    removed,
  }),
);
