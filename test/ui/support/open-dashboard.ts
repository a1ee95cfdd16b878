import { userEnvironment } from "../../support/environment.ts";
import type { RunningPlatform } from "../../support/platform-process.ts";
import { svcExecutable } from "../../support/svc.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys, openTerminal, type OpenedTerminal } from "../../support/tty.ts";

export interface OpenOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** The compiled program in a terminal, as a user who types `svc` and Enter sees it. */
export async function openSvc(options: OpenOptions = {}): Promise<OpenedTerminal> {
  const { cols = 120, rows = 40, env = {} } = options;
  const home = options.home ?? (await temporaryDirectory("home"));
  return openTerminal({
    command: await svcExecutable(),
    cols,
    rows,
    cwd: home,
    env: userEnvironment(home, env),
  });
}

/** The dashboard of a platform's first user, with no workspace chosen yet. */
export async function openDashboard(
  platform: RunningPlatform,
  options: OpenOptions = {},
): Promise<OpenedTerminal> {
  const env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  return openSvc({ ...options, env: { ...env, ...options.env } });
}

/** A loaded machine draws late; what is waited for is what counts, not when it comes. */
export const patient = { timeoutMs: 30_000 };

/** Opens the planning applications with the palette; this one is the newest. */
export async function goToApplications(
  terminal: OpenedTerminal,
  newest = "PA-2026-0042",
): Promise<void> {
  terminal.write(":");
  await terminal.waitFor("Go to, or do", patient);
  await terminal.type("planning-app");
  await terminal.waitFor("▸ planning-application", patient);
  terminal.write(keys.enter);
  await terminal.waitFor(`▸ ${newest}`, patient);
}

/** Leaves the picker for the last workspace below the sample council, the planning desk. */
export async function enterPlanning(terminal: OpenedTerminal): Promise<void> {
  await terminal.waitFor("▾ northwind-council", patient);
  await terminal.waitFor("planning  Planning", patient);
  terminal.write("G");
  await terminal.waitForQuiet(50, patient);
  terminal.write(keys.enter);
  await terminal.waitFor(/PLANNING APPLICATION +\d/, patient);
}
