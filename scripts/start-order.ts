/**
 * `node scripts/with-bun.mjs scripts/start-order.ts`: records which functions `dist/svc` uses at
 * its start, so that the next build puts them together at the front of the executable. A record
 * stays valid while the code changes: functions that it does not know follow the recorded ones.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openOnRecords } from "./bench/dashboard/programs.ts";
import { preparePlatform, type BenchPlatform } from "./bench/platform.ts";
import { executable, orderFiles, refreshExecutable } from "./build/executable.ts";
import { finished } from "./build/finished.ts";

/** The runtime writes its record to this file when the process ends. */
const recordVariable = "BUN_BYTECODE_ORDER_OUT";
/** Lines that name what the start did not use: nine tenths of a record. */
const unused = /^[KN] .*\n/gm;

await refreshExecutable();
const directory = await mkdtemp(join(tmpdir(), "svc-order-"));
let platform: BenchPlatform | undefined;
try {
  platform = await preparePlatform(directory);
  await recordCommand(platform, join(directory, "command"));
  await recordDashboard(platform, join(directory, "dashboard"));
  for (const [name, path] of Object.entries(orderFiles)) {
    const record = await Bun.file(join(directory, name)).text();
    await Bun.write(path, record.replaceAll(unused, ""));
    console.error(`svc: wrote ${path}`);
  }
} finally {
  await platform?.running.stop();
  await rm(directory, { recursive: true, force: true });
}

/** A command that sends a request, as most do. */
async function recordCommand(
  { home, env, objectType }: BenchPlatform,
  record: string,
): Promise<void> {
  const { exitCode, stderr } = await finished(
    Bun.spawn([executable, "resources", "list", objectType], {
      cwd: home,
      env: { ...env, [recordVariable]: record },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  if (exitCode !== 0) throw new Error(`the command failed: ${stderr}`);
}

/** The dashboard until its first list of records. */
async function recordDashboard({ home, env }: BenchPlatform, record: string): Promise<void> {
  const recorded = { ...env, [recordVariable]: record };
  await using terminal = await openOnRecords({ home, env: recorded });
  terminal.write("q");
  const exitCode = await terminal.exitCode;
  if (exitCode !== 0) throw new Error(`the dashboard ended with ${exitCode}`);
}
