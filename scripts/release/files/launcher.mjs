#!/usr/bin/env node
// `svc` as a package of npm: runs the executable that is for this machine.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const systems = { linux: "linux", darwin: "macos", win32: "windows" };

function targetName() {
  const system = systems[process.platform];
  if (system === undefined) return undefined;
  if (system !== "linux" || process.arch !== "x64") return `${system}-${process.arch}`;
  const { header } = process.report.getReport();
  // The baseline build runs on every processor; npm can't tell them apart.
  return header.glibcVersionRuntime === undefined ? "linux-x64-musl" : "linux-x64-baseline";
}

function findExecutable() {
  const name = process.platform === "win32" ? "svc.exe" : "svc";
  try {
    const manifest = createRequire(import.meta.url).resolve(`svc-${targetName()}/package.json`);
    const path = join(dirname(manifest), "bin", name);
    if (existsSync(path)) return path;
  } catch {
    // The package for this machine was not installed; a checkout may have built one.
  }
  const built = fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url));
  return existsSync(built) ? built : undefined;
}

const executable = findExecutable();
if (executable === undefined) {
  process.stderr.write(
    `svc: the package svc-${targetName() ?? process.platform} is not installed; it has the ` +
      "executable for this machine. Install svc again with optional dependencies, or from a release\n",
  );
  process.exitCode = 1;
} else {
  const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
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
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
  });
}
