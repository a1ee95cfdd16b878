import { join } from "node:path";
import { expect, test } from "vitest";
import { userEnvironment } from "../../../support/environment.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { openTerminal } from "../../../support/tty.ts";
import { goToApplications, patient } from "../../support/open-dashboard.ts";

const root = join(import.meta.dirname, "../../../..");

/** The calls of each function since the previous call, e.g. `ui/app.tsx:30`. */
async function takeCalls(socket: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch("http://localhost/", { unix: socket });
  return new Map(Object.entries((await response.json()) as Record<string, number>));
}

function filesOf(calls: ReadonlyMap<string, number>): ReadonlySet<string> {
  return new Set(Array.from(calls.keys(), (name) => name.split(":")[0] ?? ""));
}

function sumOf(calls: ReadonlyMap<string, number>): number {
  return [...calls.values()].reduce((sum, count) => sum + count, 0);
}

test("a step of the cursor in a page of records runs few functions", async () => {
  const home = await temporaryDirectory("home");
  const socket = join(home, "calls.sock");
  const terminal = openTerminal({
    command: process.execPath,
    args: [
      "--preload",
      join(root, "test/ui/support/counted-calls.ts"),
      join(root, "src/main.ts"),
      "demo",
    ],
    cols: 120,
    rows: 40,
    cwd: home,
    env: userEnvironment(home, { COUNTS_AT: socket }),
  });
  await terminal.waitFor("planning-application", patient);
  await goToApplications(terminal);
  const steps: ReadonlyMap<string, number>[] = [];
  for (let row = 41; row > 31; row -= 1) {
    await takeCalls(socket);
    terminal.write("j");
    await terminal.waitFor(new RegExp(`▸ PA-2026-00${row}[^]*┌ PA-2026-00${row} ─`), patient);
    steps.push(await takeCalls(socket));
  }
  // A refresh of the rows falls into some of the steps.
  const [least] = steps.toSorted((a, b) => filesOf(a).size - filesOf(b).size);
  const files = filesOf(least ?? new Map());
  expect([...files]).toContain("ui/records/detail/fields-tab.tsx");
  expect(files.size).toBeLessThanOrEqual(35);
  expect(sumOf(least ?? new Map())).toBeLessThanOrEqual(1_000);
  terminal.write("q");
  expect(await terminal.exitCode).toBe(0);
});
