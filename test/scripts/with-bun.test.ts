import { chmod, cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { finished } from "../../scripts/build/finished.ts";
import { cleanEnvironment } from "../support/environment.ts";
import { findNode } from "../support/node.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const launcher = resolve(import.meta.dirname, "../../scripts/with-bun.mjs");
interface Checkout {
  readonly root: string;
  /** The folder in front of PATH; the only one that has a Bun or an npx. */
  readonly programs: string;
  run(...args: string[]): Promise<{ stdout: string; stderr: string; exitCode: number }>;
  start(...args: string[]): Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** The calls of the stand-ins for Bun and npx, one line each. */
  calls(): Promise<string[]>;
}

/** A checkout that pins Bun 9.9.9, on a machine with Node but without Bun and without network. */
async function makeCheckout(): Promise<Checkout> {
  const node = findNode();
  const root = await temporaryDirectory("checkout");
  const programs = join(root, "programs");
  await mkdir(join(root, "scripts", "patches"), { recursive: true });
  await mkdir(programs);
  await cp(launcher, join(root, "scripts", "with-bun.mjs"));
  await writeFile(join(root, "package.json"), JSON.stringify({ packageManager: "bun@9.9.9" }));
  await writeFile(join(root, "bun.lock"), "{}");
  await writeFile(join(root, "bunfig.toml"), "");
  const environment = cleanEnvironment({ PATH: `${programs}${delimiter}/usr/bin${delimiter}/bin` });
  const start: Checkout["start"] = (...args) =>
    Bun.spawn([node, join(root, "scripts", "with-bun.mjs"), ...args], {
      env: environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
  return {
    root,
    programs,
    start,
    async run(...args) {
      const child = start(...args);
      return finished(child);
    },
    async calls() {
      const text = await readFile(join(root, "calls"), "utf8").catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
  };
}

async function program(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

/** A stand-in for Bun: knows its version, notes installs, and otherwise does as told. */
function fakeBun(root: string, version = "9.9.9"): string {
  return `case "$1" in
    --version) echo ${version};;
    install) echo "$*" >> ${root}/calls; sleep 0.1; mkdir -p ${root}/node_modules;;
    exit) exit "$2";;
    wait) trap 'exit 5' TERM; echo waiting; while :; do sleep 0.02; done;;
    die) kill -KILL $$;;
    *) echo "ran $*";;
  esac`;
}

test("runs the Bun on PATH when it is the pinned one, and installs once", async () => {
  const checkout = await makeCheckout();
  await program(join(checkout.programs, "bun"), fakeBun(checkout.root));
  expect(await checkout.run("scripts/x.ts", "--flag")).toMatchObject({
    stdout: "ran scripts/x.ts --flag\n",
    exitCode: 0,
  });
  await checkout.run("again");
  expect(await checkout.calls()).toEqual(["install --frozen-lockfile"]);

  await writeFile(join(checkout.root, "scripts", "patches", "ink.patch"), "changed");
  await checkout.run("after a new patch");
  expect(await checkout.calls()).toHaveLength(2);
});

test("fetches the pinned Bun through npx when PATH has another, and remembers it", async () => {
  const checkout = await makeCheckout();
  await program(join(checkout.programs, "bun"), fakeBun(checkout.root, "1.0.0"));
  await program(join(checkout.root, "fetched"), fakeBun(checkout.root));
  await program(
    join(checkout.programs, "npx"),
    `echo "npx $*" >> ${checkout.root}/calls; echo ${checkout.root}/fetched`,
  );
  expect((await checkout.run("hello")).stdout).toBe("ran hello\n");
  expect((await checkout.run("hello")).stdout).toBe("ran hello\n");
  expect(await checkout.calls()).toEqual([
    "npx --yes -- bun@9.9.9 --print process.execPath",
    "install --frozen-lockfile",
  ]);
});

test("says so, and gives up, when Bun can't be fetched", async () => {
  const checkout = await makeCheckout();
  await program(join(checkout.programs, "npx"), "exit 1");
  expect(await checkout.run("hello")).toEqual({
    stdout: "",
    stderr: "svc: fetching Bun 9.9.9\nsvc: Bun 9.9.9 could not be fetched through npx\n",
    exitCode: 1,
  });
  // The next attempt must not find the lock of this one.
  expect(await readdir(join(checkout.root, ".cache"))).toEqual([]);
});

test("sets a checkout up once for several runs at a time, also after one was killed", async () => {
  const checkout = await makeCheckout();
  await program(join(checkout.programs, "bun"), fakeBun(checkout.root));
  const ended = Bun.spawn(["true"]);
  await ended.exited;
  await mkdir(join(checkout.root, ".cache"));
  await writeFile(join(checkout.root, ".cache", "setup.lock"), String(ended.pid));
  const runs = await Promise.all(["a", "b", "c"].map((name) => checkout.run(name)));
  expect(runs.map(({ stdout }) => stdout)).toEqual(["ran a\n", "ran b\n", "ran c\n"]);
  expect(await checkout.calls()).toEqual(["install --frozen-lockfile"]);
});

test("ends as the program ends, and hands it the signals it gets", async () => {
  const checkout = await makeCheckout();
  await program(join(checkout.programs, "bun"), fakeBun(checkout.root));
  expect((await checkout.run("exit", "3")).exitCode).toBe(3);
  expect((await checkout.run("die")).exitCode).toBe(137);
  const child = checkout.start("wait");
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(5);
});
