import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { constants, homedir } from "node:os";
import { dirname, join } from "node:path";
import { checkExecutable } from "#local/release/executable.ts";
import { SignatureError } from "#lib/minisign.ts";
import { targetPackage } from "#lib/packages.ts";
import { processor } from "./processor.ts";

/**
 * The command `svc` as a package of npm, bundled for Node: runs the executable that is for this
 * machine, after it has checked that the release key has signed it for this version and target.
 */

declare const svcReleaseKey: string;
declare const svcVersion: string;

const systems: Readonly<Record<string, string>> = {
  linux: "linux",
  darwin: "macos",
  win32: "windows",
};

function targetName(): string {
  const system = systems[process.platform] ?? process.platform;
  if (system !== "linux" || process.arch !== "x64") return `${system}-${process.arch}`;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  // npm can't tell the processors apart: the baseline build takes the place of `linux-x64`.
  return header.glibcVersionRuntime === undefined ? "linux-x64-musl" : "linux-x64-baseline";
}

/** The signed executable for this machine. Throws an error with the next step. */
function signedExecutable(): string {
  const target = targetName();
  const name = targetPackage(target);
  let path: string;
  let facts: string;
  let released: { executable: Uint8Array; signature: string };
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    path = join(dirname(manifest), "bin", process.platform === "win32" ? "svc.exe" : "svc");
    facts = factsOf(path);
    if (isKnown(facts)) return path;
    const signature = readFileSync(`${path}.minisig`, "utf8");
    released = { executable: readFileSync(path), signature };
  } catch (error) {
    const reason = `the package ${name} is not installed; it has the executable for this machine`;
    const step = "Install svc again with optional dependencies, or from a release";
    throw new Error(`${reason}. ${step}`, { cause: error });
  }
  try {
    checkExecutable(svcReleaseKey, released, { version: svcVersion, target });
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    const reason = `${path} was not started: ${error.message}`;
    throw new Error(`${reason}. Install svc again from the registry that you trust`, {
      cause: error,
    });
  }
  remember(facts);
  return path;
}

/** A checked executable's facts; every write changes the time of its last change, as in git. */
const checkedFile = join(
  process.env["SVC_CONFIG_DIR"] || join(homedir(), ".svc"),
  "checked-executable",
);

function factsOf(path: string): string {
  const { dev, ino, size, ctimeNs } = statSync(path, { bigint: true });
  return [svcReleaseKey, svcVersion, path, dev, ino, size, ctimeNs].join("\n");
}

/** Whether this executable was checked before: reading and hashing 125 MiB takes 0.3 s. */
function isKnown(facts: string): boolean {
  try {
    return readFileSync(checkedFile, "utf8") === facts;
  } catch {
    return false;
  }
}

function remember(facts: string): void {
  try {
    mkdirSync(dirname(checkedFile), { recursive: true, mode: 0o700 });
    writeFileSync(checkedFile, facts, { mode: 0o600 });
  } catch {
    // The next call checks again.
  }
}

/** Throws where the processor can't run the executable, which would stop without a reason. */
function requireProcessor(): void {
  if (process.platform !== "linux" || process.arch !== "x64") return;
  let facts: string;
  try {
    facts = readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    return;
  }
  const missing = processor.flags.find((flag) => !new RegExp(`\\b${flag}\\b`).test(facts));
  if (missing === undefined) return;
  throw new Error(`the processor has no ${missing}: svc needs ${processor.words}`);
}

function run(executable: string): void {
  const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // Ctrl-C on a terminal reaches the child by itself.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => {
    process.stderr.write(`svc: ${executable} could not be started: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  });
}

try {
  requireProcessor();
  run(signedExecutable());
} catch (error) {
  process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
