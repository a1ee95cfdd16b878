import { userEnvironment } from "../../support/environment.ts";
import type { RunningPlatform } from "../../support/platform-process.ts";
import { svcExecutable } from "../../support/svc.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { openTerminal, type OpenedTerminal } from "../../support/tty.ts";

export interface OpenOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

/** The compiled program in a terminal, as somebody who types `svc` and Enter sees it. */
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
