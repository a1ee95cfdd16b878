import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

/** What `npm test` needs to know of a run for its closing line. */
export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** The names of blocks that were skipped for want of something, with the reason in brackets. */
  reasons: string[];
}

/** Counts tests into the file that SVC_TEST_COUNTS names; the lines of a run are vitest's own. */
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
    for (const module of modules) {
      // A file that could not be loaded, or whose hooks failed, has no failed test to show it.
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed += 1;
        else if (state === "failed") counts.failed += 1;
        else {
          counts.skipped += 1;
          reasons.add(skipReason(test));
        }
      }
    }
    counts.reasons = [...reasons].toSorted();
    const file = process.env["SVC_TEST_COUNTS"];
    if (file !== undefined) await Bun.write(file, JSON.stringify(counts));
  }
}

function skipReason(test: TestCase): string {
  return /\[([^\]]+)\]/.exec(test.fullName)?.[1] ?? `skipped by its author: ${test.fullName}`;
}
