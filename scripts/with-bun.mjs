// `node scripts/with-bun.mjs ARGS…` is `bun ARGS…` with the pinned Bun and installed packages.
// The one file for Node itself: it runs where there is nothing but Node 20 and npm.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const lockLimitMs = 600_000;
const lockPollMs = 50;
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, ".cache");
const stampFile = join(root, "node_modules", ".installed");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const version = manifest.packageManager.slice("bun@".length);
const env = { ...process.env };

class SetupError extends Error {}

try {
  const bun = findBun() ?? withLock(() => findBun() ?? fetchBun());
  if (!isInstalled()) withLock(() => isInstalled() || install(bun));
  run(bun);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}

/** A Bun of exactly the pinned version: the one on PATH, or one that was fetched before. */
function findBun() {
  const folder = join(cache, `bun-${version}`);
  const candidates = [
    { bun: "bun", path: env.PATH },
    { bun: join(folder, "bun"), path: `${folder}${delimiter}${env.PATH}` },
  ];
  for (const { bun, path } of candidates) {
    const answer = spawnSync(bun, ["--version"], { env, encoding: "utf8" });
    if (answer.status === 0 && answer.stdout.trim() === version) {
      env.PATH = path;
      return bun;
    }
  }
  return undefined;
}

/** Fetches the package `bun` through npx, and remembers where its executable lies. */
function fetchBun() {
  say(`fetching Bun ${version}`);
  const answer = spawnSync(
    "npx",
    ["--yes", "--", `bun@${version}`, "--print", "process.execPath"],
    {
      env: { ...env, npm_config_ignore_scripts: "false" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const executable = answer.stdout?.trim() ?? "";
  if (answer.status !== 0 || !existsSync(executable)) {
    throw new SetupError(`Bun ${version} could not be fetched through npx`);
  }
  const folder = join(cache, `bun-${version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  symlinkSync(executable, join(folder, "bun"));
  const bun = findBun();
  if (bun === undefined) throw new SetupError(`Bun ${version} does not run on this machine`);
  return bun;
}

/** A digest of all that decides which packages are installed, and how. */
function wantedInstall() {
  const patches = readdirSync(join(root, "scripts", "patches")).toSorted();
  const files = ["package.json", "bun.lock", "bunfig.toml"].concat(
    patches.map((name) => join("scripts", "patches", name)),
  );
  const digest = createHash("sha256");
  for (const file of files) digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest("hex");
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === wantedInstall();
}

function install(bun) {
  const wanted = wantedInstall();
  say("installing packages");
  const answer = spawnSync(bun, ["install", "--frozen-lockfile"], {
    cwd: root,
    env,
    stdio: ["ignore", 2, 2],
  });
  if (answer.status !== 0) throw new SetupError("the packages of bun.lock could not be installed");
  writeFileSync(stampFile, wanted);
}

/** One set-up at a time in this checkout; a lock whose owner is gone is taken over. */
function withLock(work) {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, "setup.lock");
  const deadline = Date.now() + lockLimitMs;
  while (!lock(file)) {
    if (Date.now() > deadline) throw new SetupError(`another set-up has held ${file} for too long`);
    if (ownerIsGone(file)) takeAway(file);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPollMs);
  }
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

function lock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

/** One at a time: a second one would take away the lock that the first one's owner then made. */
function takeAway(file) {
  const claim = `${file}.claim`;
  if (!lock(claim)) {
    if (ownerIsGone(claim)) rmSync(claim, { force: true });
    return;
  }
  try {
    if (ownerIsGone(file)) rmSync(file, { force: true });
  } finally {
    rmSync(claim, { force: true });
  }
}

function ownerIsGone(file) {
  try {
    const owner = Number(readFileSync(file, "utf8"));
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Becomes the program, as nearly as Node can: same streams, same signals, same exit code. */
function run(bun) {
  const started = {};
  // Listened to before there is a child: a signal must never find this process without.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // Ctrl-C on a terminal reaches the child by itself; twice would be a harder stop.
      if (signal !== "SIGINT" || !process.stdin.isTTY) started.child.kill(signal);
    });
  }
  started.child = spawn(bun, process.argv.slice(2), { cwd: root, env, stdio: "inherit" });
  started.child.on("error", (error) => {
    say(`Bun could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  started.child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? code : 128 + constants.signals[signal];
  });
}

function say(words) {
  process.stderr.write(`svc: ${words}\n`);
}
