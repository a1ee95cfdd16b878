import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { finished } from "./build/finished.ts";
import { findPostgres } from "./postgres.ts";

/** A program of the machine that some tests need, and the Debian package that brings it. */
export interface Tool {
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
  programOf("pgbouncer", "pgbouncer"),
];

export function programOf(name: string, debianPackage: string): Tool {
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

/** Installs what the tests need; the tests of what stays missing are skipped (CI=true: fail). */
export async function installMissingTools(): Promise<void> {
  await installTools(tools);
}

/**
 * Installs with apt-get what is missing, where that can be done: on Debian, as root. Elsewhere it
 * prints what to install. Returns the tools that are still missing.
 */
export async function installTools(wanted: readonly Tool[]): Promise<readonly Tool[]> {
  const missing = await missingTools(wanted);
  if (missing.length === 0) return [];
  const names = missing.map(({ name }) => name).join(", ");
  const packages = missing.map(({ debianPackage }) => debianPackage);
  if (Bun.which("apt-get") === null || userInfo().uid !== 0) {
    console.error(
      `svc: not on this machine: ${names} (on Debian: apt-get install ${packages.join(" ")})`,
    );
    return missing;
  }
  console.error(`svc: installing ${names}`);
  const lock = "-oDPkg::Lock::Timeout=300";
  const installed =
    (await run(["apt-get", "-qq", lock, "update"])) &&
    (await run(["apt-get", "-qq", lock, "install", "-y", "--no-install-recommends", ...packages]));
  if (!installed) console.error(`svc: could not install ${names}`);
  return missingTools(wanted);
}

async function missingTools(wanted: readonly Tool[]): Promise<readonly Tool[]> {
  const found = await Promise.all(wanted.map((tool) => tool.find()));
  return wanted.filter((_, index) => found[index] === undefined);
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
