import { join } from "node:path";
import { expect, test } from "vitest";
import { userEnvironment } from "../../../support/environment.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { startPlatform } from "../../../support/svc.ts";
import { openTerminal } from "../../../support/tty.ts";
import { enterPlanning, goToApplications, patient } from "../../support/open-dashboard.ts";

const root = join(import.meta.dirname, "../../../..");

/** The calls of each function since the previous call, e.g. `ui/app.tsx:30`. */
async function takeCalls(socket: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch("http://localhost/", { unix: socket });
  return new Map(Object.entries((await response.json()) as Record<string, number>));
}

/** Resolves once the dashboard has read all that it shows, and is silent. */
async function untilSilent(socket: string): Promise<void> {
  let names: string[];
  do {
    await Bun.sleep(1_000);
    names = [...(await takeCalls(socket)).keys()];
  } while (names.some((name) => name.startsWith("ui/shell/platform/feed/")));
}

/** The functions that each take has, with the least of their calls. */
function commonTo(takes: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const [first = new Map<string, number>(), ...others] = takes;
  return new Map(
    [...first]
      .map(([name, calls]): [string, number] => [
        name,
        Math.min(calls, ...others.map((take) => take.get(name) ?? 0)),
      ])
      .filter(([, calls]) => calls > 0),
  );
}

test("a step of the cursor in a page of records runs few functions", async () => {
  const home = await temporaryDirectory("home");
  const socket = join(home, "calls.sock");
  await using platform = await startPlatform({ hasSamples: true });
  const signedIn = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  await using terminal = openTerminal({
    command: process.execPath,
    args: ["--preload", join(root, "test/ui/support/counted-calls.ts"), join(root, "src/main.ts")],
    cols: 120,
    rows: 40,
    cwd: home,
    env: userEnvironment(home, { ...signedIn, COUNTS_AT: socket }),
  });
  await enterPlanning(terminal);
  await goToApplications(terminal);
  await untilSilent(socket);
  const steps: ReadonlyMap<string, number>[] = [];
  for (let row = 41; row > 31; row -= 1) {
    await takeCalls(socket);
    terminal.write("j");
    await terminal.waitFor(new RegExp(`▸ PA-2026-00${row}[^]*┌ PA-2026-00${row} ─`), patient);
    steps.push(await takeCalls(socket));
  }
  const step = commonTo(steps);
  const files = new Set(Array.from(step.keys(), (name) => name.split(":")[0] ?? ""));
  expect([...files]).toContain("ui/records/detail/fields-tab.tsx");
  expect(files.size).toBeLessThanOrEqual(35);
  const sum = [...step.values()].reduce((total, calls) => total + calls, 0);
  expect(sum).toBeLessThanOrEqual(1_000);
  terminal.write("q");
  expect(await terminal.exitCode).toBe(0);
});
