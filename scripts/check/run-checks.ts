import { totalmem } from "node:os";
import { finished } from "../build/finished.ts";
import { repository } from "../build/executable.ts";

const commands = {
  // One program for both: TypeScript reads and checks the sources once, not twice.
  "types and lint": ["oxlint", "--type-aware", "--type-check", "--deny-warnings"],
  format: ["oxfmt", "--check"],
  architecture: ["vitest", "run", "test/architecture"],
} as const;
/** The name of a check of `npm run check`. */
export type Check = keyof typeof commands;

export const allChecks: readonly Check[] = ["types and lint", "format", "architecture"];

/** Checks that ran: how many failed, and a report with the output of those. */
export interface CheckReport {
  readonly failed: number;
  readonly text: string;
}

/** Runs checks side by side. */
export async function runChecks(checks: readonly Check[]): Promise<CheckReport> {
  const outcomes = await Promise.all(checks.map(runCheck));
  const failed = outcomes.filter(({ passed }) => !passed);
  const lines = [
    ...failed.map(({ name, output }) => `${name}:\n${output.trim()}\n`),
    ...outcomes.map(
      ({ name, passed, seconds }) => `${passed ? "ok  " : "FAIL"} ${name} ${seconds.toFixed(1)} s`,
    ),
  ];
  return { failed: failed.length, text: lines.join("\n") };
}

const gibibyte = 1024 ** 3;
/** A check of types takes 4 GiB with its usual collector. */
const memoryOfChecks = 5 * gibibyte;

/**
 * The checker of types, a program in Go, ends before its memory is worth collecting: without a
 * collection below a limit it takes a quarter less processor time. Its user's settings come first.
 */
function collectorSettings(): Readonly<Record<string, string>> {
  if (totalmem() < 3 * memoryOfChecks) return {};
  return { GOGC: "off", GOMEMLIMIT: String(memoryOfChecks) };
}

async function runCheck(name: Check): Promise<{
  readonly name: Check;
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: number;
}> {
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, "run", "--silent", ...commands[name]], {
    cwd: repository,
    env: { ...collectorSettings(), ...process.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout: output, stderr: errors, exitCode } = await finished(child);
  const seconds = (performance.now() - startedAt) / 1000;
  return { name, passed: exitCode === 0, output: `${output}${errors}`, seconds };
}
