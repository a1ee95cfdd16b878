/**
 * `npm test [-- FILTER…]`: finds or installs what the tests need of the machine, builds dist/svc
 * when it is stale, runs vitest, and ends with `N passed, N failed, N skipped` on a line. A run of
 * all tests begins with those that need no build. With `--with-checks`, types, lint and format are
 * checked meanwhile; each that fails counts as failed.
 */
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refreshExecutable, repository } from "./build/executable.ts";
import { runChecks, type CheckReport } from "./check/run-checks.ts";
import { buildEndVariable, type BuildEnd } from "./test-order.ts";
import type { TestCounts } from "./test-reporter.ts";
import { installMissingTools } from "./tools.ts";

const none: TestCounts = { passed: 0, failed: 0, skipped: 0, reasons: [] };
/**
 * Most of the test code runs a few times only, and helper threads of the runtime took two fifths of
 * the runner's processor time. Without the last stage of the compiler, with a late second one, with
 * a collector in the thread that allocates, and memory that is given back to the system after a
 * second, the same tests take a quarter less. `test/support/setup.ts` keeps these
 * settings from the programs under test.
 */
const settingsOfRunner = {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: "20000",
  BUN_JSC_thresholdForOptimizeSoon: "10000",
  BUN_JSC_useConcurrentGC: "0",
  BUN_JSC_numberOfGCMarkers: "1",
  MIMALLOC_PURGE_DELAY: "1000",
  MIMALLOC_PURGE_HOLES: "0",
};

const checksOption = "--with-checks";
const filters = process.argv.slice(2).filter((argument) => argument !== checksOption);
const noChecks: CheckReport = { failed: 0, text: "" };
const [{ exitCode, counts }, checks] = await Promise.all([
  main(),
  // The tests themselves include the architecture.
  process.argv.includes(checksOption) ? runChecks(["types and lint", "format"]) : noChecks,
]);
if (checks.text !== "") console.log(checks.text);
for (const reason of counts.reasons) console.log(`skipped: ${reason}`);
// A run that failed outside any test, say while it built, must not look like none failed.
const failedTests = exitCode === 0 ? counts.failed : Math.max(counts.failed, 1);
const failed = failedTests + checks.failed;
console.log(`${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;

async function main(): Promise<{ exitCode: number; counts: TestCounts }> {
  const directory = await mkdtemp(join(tmpdir(), "svc-counts-"));
  const countsFile = join(directory, "counts.json");
  const buildEnd = join(directory, "build-end.json");
  const building = build(buildEnd);
  try {
    await installMissingTools();
    // A few tests would wait for the build within the time that each of them has.
    if (filters.length > 0) await requireBuild(building);
    const exitCode = await runVitest({ SVC_TEST_COUNTS: countsFile, [buildEndVariable]: buildEnd });
    await requireBuild(building);
    return { exitCode, counts: await readCounts(countsFile) };
  } catch (error) {
    console.error(`svc: ${messageOf(error)}`);
    const { passed, failed } = await readCounts(countsFile);
    return { exitCode: 1, counts: { ...none, passed, failed } };
  } finally {
    await building;
    await rm(directory, { recursive: true, force: true });
  }
}

/** Builds dist/svc when it is stale, and notes the end in the file that tests wait for. */
async function build(endFile: string): Promise<BuildEnd> {
  const end: BuildEnd = await refreshExecutable().then(
    () => ({}),
    (error: unknown) => ({ error: messageOf(error) }),
  );
  const unfinished = `${endFile}.new`;
  await Bun.write(unfinished, JSON.stringify(end));
  await rename(unfinished, endFile);
  return end;
}

async function requireBuild(building: Promise<BuildEnd>): Promise<void> {
  const { error } = await building;
  if (error !== undefined) throw new Error(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function runVitest(env: Readonly<Record<string, string>>): Promise<number> {
  const child = Bun.spawn(
    [
      process.execPath,
      "run",
      "--silent",
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=./scripts/test-reporter.ts",
      ...filters,
    ],
    {
      cwd: repository,
      env: { ...process.env, ...settingsOfRunner, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  return child.exited;
}

async function readCounts(path: string): Promise<TestCounts> {
  const file = Bun.file(path);
  if (!(await file.exists())) return none;
  const counts: TestCounts = await file.json();
  return counts;
}
