import { expect, it } from "vitest";
import { createClient } from "#client/index.ts";
import { memberships } from "#client/memberships.ts";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform } from "../support/svc.ts";
import { keys, type OpenedTerminal } from "../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../ui/support/open-dashboard.ts";

/** Changes of one run; `SVC_UNDONE_CHANGES=1000` is the whole test, which takes half an hour. */
const changes = Number(process.env["SVC_UNDONE_CHANGES"] ?? 3);
const timeoutMs = 60_000 + changes * 5_000;

/** The same numbers in each run, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** The data of all planning applications by id, without their versions. */
async function contentOf(platform: RunningPlatform): Promise<Record<string, unknown>> {
  const anywhere = createClient({ baseUrl: platform.url, token: await platform.token() });
  const workspaces = await memberships(anywhere);
  const { id } = workspaces.find(({ slug }) => slug === "planning") ?? { id: "" };
  const records = anywhere.forTenant(id).useResources("planning-application");
  const { items } = await records.list({ limit: 200 });
  return Object.fromEntries(items.map((record) => [record.id, record.data]));
}

type Below = (limit: number) => number;

/** Selects a random record, and returns once the list rests on it. */
async function select(terminal: OpenedTerminal, below: Below): Promise<void> {
  terminal.write("g");
  await terminal.waitForQuiet(40, patient);
  terminal.write("j".repeat(below(12)));
  await terminal.waitForQuiet(60, patient);
}

async function edit(terminal: OpenedTerminal, below: Below): Promise<void> {
  await select(terminal, below);
  terminal.write("e");
  await terminal.waitFor(/Edit PA-2026-\d+, version \d+/, patient);
  terminal.write(keys.tab);
  await terminal.waitFor("▸ address", patient);
  await terminal.type(` ${below(1_000)}`);
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor(/saved PA-2026-\d+ as version/, patient);
}

async function decide(terminal: OpenedTerminal, below: Below): Promise<void> {
  // The newest record is open in the sample data, and again after each undo.
  terminal.write("g");
  await terminal.waitFor("▸ PA-2026-0042", patient);
  await terminal.waitForQuiet(60, patient);
  terminal.write("d");
  await terminal.waitFor("Choose an action", patient);
  terminal.write(keys.enter);
  await terminal.waitFor("decision *", patient);
  terminal.write(keys.right.repeat(1 + below(3)));
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor(/▸ PA-2026-0042 .*✓ decided/, patient);
}

async function remove(terminal: OpenedTerminal, below: Below): Promise<void> {
  await select(terminal, below);
  const marked = 2 + below(2);
  terminal.write(" ".repeat(marked));
  await terminal.waitFor(`${marked} marked`, patient);
  terminal.write(keys.ctrl("d"));
  await terminal.waitFor(`Delete ${marked} records`, patient);
  terminal.write("y");
  await terminal.waitFor((screen) => !screen.includes("Delete "), patient);
  await terminal.waitFor(`planning-application ─ ${42 - marked} ─`, patient);
}

const verbs = [edit, decide, remove] as const;

async function undo(terminal: OpenedTerminal): Promise<void> {
  terminal.write("z");
  await terminal.waitFor(/Undo “.*y yes/s, patient);
  terminal.write("y");
  await terminal.waitFor((screen) => !screen.includes("y yes"), patient);
  await terminal.waitFor("planning-application ─ 42 ─", patient);
  await terminal.waitFor("undid “", patient);
}

it(
  "random changes by the keys of the dashboard, each undone, leave the data as before",
  async () => {
    await using platform = await startPlatform({ hasSamples: true });
    await using terminal = await openDashboard(platform);
    await enterPlanning(terminal);
    await goToApplications(terminal);
    const before = await contentOf(platform);
    const below = numbers(7);
    for (let change = 0; change < changes; change += 1) {
      await verbs[change % verbs.length]?.(terminal, below);
      const changed = await contentOf(platform);
      expect(changed).not.toEqual(before);
      await undo(terminal);
      expect(await contentOf(platform)).toEqual(before);
    }
  },
  timeoutMs,
);
