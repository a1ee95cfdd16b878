import { beforeAll, expect, test } from "vitest";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform } from "../support/svc.ts";
import { keys } from "../support/tty.ts";
import { openDashboard } from "../ui/support/open-dashboard.ts";

/** A loaded machine draws late; what is waited for is what counts, not when it comes. */
const patient = { timeoutMs: 30_000 };
const testLimitMs = 120_000;

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly data: Record<string, unknown>;
}

let platform: RunningPlatform;
let records: (path: string, init?: RequestInit) => Promise<unknown>;

beforeAll(async () => {
  platform = await startPlatform({ args: ["--demo"] });
  const authorization = `Bearer ${await platform.token()}`;
  const headers = { authorization, "content-type": "application/json" };
  const ask = async (path: string, init?: RequestInit): Promise<unknown> =>
    (await fetch(`${platform.url}${path}`, { ...init, headers })).json();
  const { items } = (await ask("/v4/identity/tenants")) as {
    items: { id: string; slug: string }[];
  };
  const planning = items.find((item) => item.slug === "planning")?.id ?? "";
  records = (path, init) => ask(`/v4/data/resources/${planning}/planning-application${path}`, init);
}, testLimitMs);

async function application(): Promise<Stored> {
  const where = encodeURIComponent(JSON.stringify({ reference: "PA-2026-0042" }));
  const { items } = (await records(`?where=${where}`)) as { items: [Stored] };
  return items[0];
}

test(
  "a record is edited in a form while somebody else saves it, and its history tells of both",
  async () => {
    await using terminal = await openDashboard(platform, { cols: 80, rows: 24 });
    await terminal.waitFor("planning  Planning", patient);
    terminal.write("G");
    await terminal.waitForQuiet(50, patient);
    terminal.write(keys.enter);
    await terminal.waitFor("planning-application", patient);
    terminal.write(":");
    await terminal.waitFor("Go to, or do", patient);
    await terminal.type("planning-app");
    await terminal.waitFor("▸ planning-application", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("▸ PA-2026-0042", patient);

    terminal.write("e");
    await terminal.waitFor("Edit PA-2026-0042, version 1", patient);
    terminal.write(keys.tab);
    await terminal.waitFor("▸ address", patient);
    await terminal.type(" mine");
    await terminal.waitFor(" mine", patient);
    const before = await application();
    const data = { ...before.data, address: "The Boathouse", fee: 12_345 };
    await records(`/${before.id}`, {
      method: "PUT",
      body: JSON.stringify({ data, version: before.version }),
    });
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("Somebody saved version 2 while you were at version 1.", patient);
    await terminal.waitFor(/theirs +The Boathouse/, patient);
    terminal.write("m");
    await terminal.waitFor(/address +changed by both +✓ mine/, patient);
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("saved PA-2026-0042 as version 3", patient);
    const after = await application();
    expect(after.version).toBe(3);
    expect(after.data).toEqual({
      ...before.data,
      address: `${String(before.data["address"])} mine`,
      fee: 12_345,
    });

    terminal.write(`${keys.enter}]]`);
    await terminal.waitFor("[history]", patient);
    await terminal.waitFor("~ address  The Boathouse →", patient);
    terminal.write("j");
    await terminal.waitFor("→ 12345", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("As it stood then", patient);

    terminal.write("d");
    await terminal.waitFor("What to do with PA-2026-0042", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("decision *", patient);
    await terminal.type("r");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("PA-2026-0042 is version 4", patient);
    expect((await application()).data).toMatchObject({ status: "decided", decision: "refused" });
  },
  testLimitMs,
);
