import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createClient, type Resource, type Resources } from "#client/index.ts";
import { memberships } from "#client/memberships.ts";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys, type OpenedTerminal } from "../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  patient,
} from "../ui/support/open-dashboard.ts";
import { verbs } from "./undone-verbs.ts";

/** Changes of one run, of each kind in turn; `SVC_UNDONE_CHANGES=1000` is the whole test. */
const changes = Number(process.env["SVC_UNDONE_CHANGES"] ?? Object.keys(verbs).length);
const seed = Number(process.env["SVC_UNDONE_SEED"] ?? 7);
const timeoutMs = 60_000 + changes * 5_000;

/** The same numbers in each run, so that a failure can be repeated. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

async function planningRecords(platform: RunningPlatform): Promise<Resources> {
  const anywhere = createClient({ baseUrl: platform.url, token: await platform.token() });
  const workspaces = await memberships(anywhere);
  const { id } = workspaces.find(({ slug }) => slug === "planning") ?? { id: "" };
  return anywhere.forTenant(id).useResources("planning-application");
}

/** All records in the order of the list. */
async function storedIn(records: Resources): Promise<readonly Resource[]> {
  return (await records.list({ limit: 200, sort: "-created_at" })).items;
}

/** The data of records by their ids, without their versions; a file is in it with its digest. */
function contentOf(stored: readonly Resource[]): Record<string, unknown> {
  return Object.fromEntries(stored.map(({ id, data }) => [id, data]));
}

/** Three files, and records that have one of them, that were changed, and that are deleted. */
async function prepare(records: Resources): Promise<readonly string[]> {
  const folder = await temporaryDirectory("plans");
  const paths = ["site.pdf", "roof.pdf", "street.pdf"].map((name) => join(folder, name));
  for (const path of paths) await writeFile(path, `%PDF-1.4\n% ${path}\n%%EOF\n`);
  const stored = await storedIn(records);
  for (const [index, { id, data }] of stored.slice(0, 12).entries()) {
    if (index % 3 === 0) {
      await records.uploadFile(id, "plans", Bun.file(paths[0] ?? ""), { filename: "site.pdf" });
    }
    if (index % 3 === 1) await records.patch(id, { address: `${String(data["address"])} (rear)` });
  }
  await records.delete(stored.at(-1)?.id ?? "");
  return paths;
}

async function undo(terminal: OpenedTerminal): Promise<void> {
  terminal.write("z");
  await terminal.waitFor(/Undo “.*y yes/s, patient);
  terminal.write("y");
  // The question, the running work and an outcome with refusals have this title.
  await terminal.waitFor((screen) => !screen.includes("Undo “"), patient);
}

it(
  "random changes by the keys of the dashboard, each undone, leave data and files as before",
  async () => {
    await using platform = await startPlatform({ hasSamples: true });
    const records = await planningRecords(platform);
    const files = await prepare(records);
    // The details next to the list show the version of each record.
    await using terminal = await openDashboard(platform, { cols: 180, rows: 30 });
    await enterPlanning(terminal);
    await goToApplications(terminal);
    const below = numbers(seed);
    const kinds = Object.entries(verbs);
    let stored = await storedIn(records);
    const before = contentOf(stored);
    for (let change = 0; change < changes; change += 1) {
      const [kind, verb] = kinds[change % kinds.length] ?? [];
      try {
        await verb?.({ terminal, records, files, below, stored });
        expect(contentOf(await storedIn(records))).not.toEqual(before);
        await undo(terminal);
        stored = await storedIn(records);
        expect(contentOf(stored)).toEqual(before);
      } catch (error) {
        throw new Error(`change ${change} of seed ${seed}, ${kind}:\n${String(error)}`, {
          cause: error,
        });
      }
    }
    terminal.write(keys.ctrl("c"));
    expect(await terminal.exitCode).toBe(0);
  },
  timeoutMs,
);
