import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The file that waits longest comes first. Without times of an earlier run, vitest begins with the
 * largest files: this small one would be the last, and nothing would run during its minute of rest.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean =>
      moduleId.endsWith("/e2e/dashboard-bytes.test.ts");
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

/** The contract's table is made once for a run, as a build makes it, and not by each test file. */
const contractTable: Plugin = {
  name: "contract table",
  async transform(code, id) {
    if (!id.endsWith("/src/contract/route-table.ts")) return undefined;
    const maker = resolve(import.meta.dirname, "../src/contract/plain/table.ts");
    const { contractTable: make }: { contractTable(): unknown } = await import(maker);
    const table = `const contractTable = () => (${JSON.stringify(make())});`;
    return code.replace(/^import \{ contractTable \}.*$/m, table);
  },
};

/**
 * How every test runs, `npm test` and a single file alike (`bun run vitest run test/lib`).
 * `threads` because Bun's worker processes lack what vitest's default pool needs.
 */
export default defineConfig({
  plugins: [contractTable],
  root: resolve(import.meta.dirname, ".."),
  test: {
    pool: "threads",
    // Files of a worker share their modules, which Bun itself loads, as it does in the executable.
    // With vite's loader and modules for each file a run takes twice the CPU time.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: "test/support/setup.ts",
    // Most tests wait for a database, a process or a clock: one more than there are processors.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    globalSetup: "test/support/global-setup.ts",
    include: ["test/**/*.test.{ts,tsx}"],
    // Any wait within a test is shorter, so that a failed one reports what it waited for.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A machine of CI may stand still for seconds. The summary names each test that needed it.
    retry: process.env["CI"] === undefined ? 0 : 1,
  },
});
