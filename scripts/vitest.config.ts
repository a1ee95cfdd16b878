import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { inOrder } from "./test-order.ts";
import durations from "./test-durations.json" with { type: "json" };

const root = resolve(import.meta.dirname, "..");
/** Seconds of the long test files, by path; `SVC_TEST_DURATIONS` writes them again. */
const seconds: ReadonlyMap<string, number> = new Map(Object.entries(durations));

class EarlyAndLongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const pathOf = ({ moduleId }: TestSpecification): string => relative(root, moduleId);
    return inOrder(await super.sort(files), { pathOf, seconds });
  }
}

/**
 * How every test runs, `npm test` and a single file alike (`bun run vitest run test/lib`).
 * `threads` because Bun's worker processes lack what vitest's default pool needs.
 */
export default defineConfig({
  root,
  test: {
    pool: "threads",
    // Files of a worker share their modules, which Bun itself loads, as it does in the executable.
    // With vite's loader and modules for each file a run takes twice the CPU time.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: "test/support/setup.ts",
    // Most tests wait for a database, a process or a clock: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: EarlyAndLongestFirst },
    globalSetup: "test/support/global-setup.ts",
    include: ["test/**/*.test.{ts,tsx}"],
    // Any wait within a test is shorter, so that a failed one reports what it waited for.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine of CI may stand still for seconds. The summary names each test that needed it.
    retry: process.env["CI"] === undefined ? 0 : 1,
  },
});
