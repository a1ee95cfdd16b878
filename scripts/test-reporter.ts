import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

/** The numbers of a run that `npm test` prints in its closing line. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** Why tests were skipped: the text in brackets in their block's name. */
  reasons: string[];
}

const shownSlowest = 10;
/** A shorter file is not in the table of durations, which puts the long ones first. */
const leastKeptSeconds = 3;
/** A longer test outside `test/e2e` fails the run; `SVC_TEST_LIMIT_MS` sets another limit. */
const defaultLimitMs = 20_000;

/**
 * Counts tests into the file that SVC_TEST_COUNTS names, prints the ten slowest, and counts a test
 * outside `test/e2e` as failed that takes longer than 20 s for each try. It names the tests that
 * passed at the second try only, which CI allows, and prints the time of all workers. Vitest prints
 * everything else. `SVC_TEST_DURATIONS` names the table of durations that a run of all files writes
 * again.
 */
export default class CountingReporter implements Reporter {
  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly SerializedError[],
  ): Promise<void> {
    const counts: TestCounts = {
      passed: 0,
      failed: unhandledErrors.length,
      skipped: 0,
      reasons: [],
    };
    const reasons = new Set<string>();
    const timed: TimedTest[] = [];
    const files = modules.map((module) => ({
      path: module.relativeModuleId,
      seconds: secondsOf(module),
    }));
    const repeated: string[] = [];
    for (const module of modules) {
      // A file that could not be loaded, or whose hooks failed, has no failed test to show it.
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        const { duration: durationMs = 0, retryCount = 0 } = test.diagnostic() ?? {};
        const name = `${module.relativeModuleId} > ${test.fullName}`;
        timed.push({ name, durationMs, tries: retryCount + 1 });
        if (state === "passed" && retryCount > 0) repeated.push(name);
        if (state === "passed") counts.passed += 1;
        else if (state === "failed") counts.failed += 1;
        else {
          counts.skipped += 1;
          reasons.add(skipReason(test));
        }
      }
    }
    counts.reasons = [...reasons].toSorted();
    counts.failed += reportSlowest(
      timed,
      Number(process.env["SVC_TEST_LIMIT_MS"] ?? defaultLimitMs),
    );
    for (const name of repeated) console.log(`passed at the second try only: ${name}`);
    const sum = files.reduce((total, { seconds }) => total + seconds, 0);
    console.log(`time of all workers: ${sum.toFixed(0)} s`);
    const table = process.env["SVC_TEST_DURATIONS"];
    if (table !== undefined) await writeDurations(table, files);
    const file = process.env["SVC_TEST_COUNTS"];
    if (file !== undefined) await Bun.write(file, JSON.stringify(counts));
  }
}

interface TimedTest {
  readonly name: string;
  readonly durationMs: number;
  /** The duration is that of all tries. */
  readonly tries: number;
}

/** The time of a file in its worker: loading, hooks and tests. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1000;
}

async function writeDurations(
  path: string,
  files: readonly { readonly path: string; readonly seconds: number }[],
): Promise<void> {
  const kept = files
    .filter(({ seconds }) => seconds >= leastKeptSeconds)
    .toSorted((one, other) => other.seconds - one.seconds)
    .map((file) => [file.path, Math.round(file.seconds)]);
  await Bun.write(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

/** Prints the slowest tests and returns how many exceed the limit. */
function reportSlowest(tests: readonly TimedTest[], limitMs: number): number {
  const slowest = tests.toSorted((one, other) => other.durationMs - one.durationMs);
  console.log("slowest tests:");
  for (const { name, durationMs } of slowest.slice(0, shownSlowest)) {
    console.log(`  ${(durationMs / 1000).toFixed(1)} s  ${name}`);
  }
  const tooSlow = slowest.filter(
    ({ name, durationMs, tries }) => durationMs > tries * limitMs && !name.startsWith("test/e2e/"),
  );
  for (const { name } of tooSlow) {
    console.log(`failed: ${name} takes longer than ${limitMs / 1000} s`);
  }
  return tooSlow.length;
}

function skipReason(test: TestCase): string {
  return /\[([^\]]+)\]/.exec(test.fullName)?.[1] ?? `skipped by its author: ${test.fullName}`;
}
