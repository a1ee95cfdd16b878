import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { finished } from "./build/finished.ts";
import { findPostgres } from "./postgres.ts";

/** A program of the machine that some tests need, and the Debian package that brings it. */
interface Tool {
  readonly name: string;
  readonly debianPackage: string;
  find(): Promise<string | undefined>;
}

const installLimitMs = 900_000;

const tools: readonly Tool[] = [
  { name: "PostgreSQL server", debianPackage: "postgresql", find: findPostgres },
  { name: "Chromium", debianPackage: "chromium", find: findChromium },
  programOf("curl", "curl"),
  programOf("strace", "strace"),
  programOf("ip", "iproute2"),
];

function programOf(name: string, debianPackage: string): Tool {
  return { name, debianPackage, find: async () => Bun.which(name) ?? undefined };
}

/** A Chromium or Chrome of this machine, as an absolute path. */
export async function findChromium(): Promise<string | undefined> {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const found = names.map((name) => Bun.which(name)).find((path) => path !== null);
  const elsewhere = [
    "/usr/bin/chromium",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ];
  return found ?? elsewhere.find((path) => existsSync(path));
}

/**
 * Installs with apt-get what is missing, where that can be done: on Debian, as root. Elsewhere
 * it says what to install, and the tests that need it are skipped (with CI=true: they fail).
 */
export async function installMissingTools(): Promise<void> {
  const found = await Promise.all(tools.map((tool) => tool.find()));
  const missing = tools.filter((_, index) => found[index] === undefined);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  const packages = missing.map(({ debianPackage }) => debianPackage);
  if (Bun.which("apt-get") === null || userInfo().uid !== 0) {
    console.error(
      `svc: not on this machine: ${names} (on Debian: apt-get install ${packages.join(" ")})`,
    );
    return;
  }
  console.error(`svc: installing ${names}`);
  const lock = "-oDPkg::Lock::Timeout=300";
  const installed =
    (await run(["apt-get", "-qq", lock, "update"])) &&
    (await run(["apt-get", "-qq", lock, "install", "-y", "--no-install-recommends", ...packages]));
  if (!installed) console.error(`svc: could not install ${names}`);
}

async function run(command: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([...command], {
    // A run level at which Debian starts no service: the tests start their own server.
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: installLimitMs,
  });
  const { stdout: output, stderr: errors, exitCode } = await finished(child);
  if (exitCode !== 0) console.error(`${output}${errors}`.trim().split("\n").slice(-20).join("\n"));
  return exitCode === 0;
}
