/**
 * `npm run check`: types, lint, format and architecture, side by side; all of them or a failure.
 */
import { finished } from "./build/finished.ts";
import { repository } from "./build/executable.ts";

const checks: readonly { name: string; command: readonly string[] }[] = [
  { name: "types", command: ["tsc", "-p", "."] },
  { name: "lint", command: ["oxlint", "--type-aware", "--deny-warnings"] },
  { name: "format", command: ["oxfmt", "--check"] },
  { name: "architecture", command: ["vitest", "run", "test/architecture"] },
];

const outcomes = await Promise.all(checks.map(run));
const failed = outcomes.filter((outcome) => !outcome.passed);
for (const { name, output } of failed) console.log(`${name}:\n${output.trim()}\n`);
for (const { name, passed, seconds } of outcomes) {
  console.log(`${passed ? "ok  " : "FAIL"} ${name} ${seconds.toFixed(1)} s`);
}
process.exitCode = failed.length === 0 ? 0 : 1;

async function run({ name, command }: (typeof checks)[number]): Promise<{
  name: string;
  passed: boolean;
  output: string;
  seconds: number;
}> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, "run", "--silent", ...command], {
    cwd: repository,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout: output, stderr: errors, exitCode } = await finished(child);
  const seconds = (performance.now() - startedAt) / 1000;
  return { name, passed: exitCode === 0, output: `${output}${errors}`, seconds };
}
