import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys, type OpenedTerminal } from "../support/tty.ts";
import {
  enterPlanning,
  goToApplications,
  openDashboard,
  openSvc,
  patient,
} from "../ui/support/open-dashboard.ts";

const testLimitMs = 120_000;

let platform: RunningPlatform;
let folder: string;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
  folder = await temporaryDirectory("upload");
  await Bun.write(
    join(folder, "boathouse.md"),
    "# The boathouse\n\nThe roof of the boathouse is made of copper.\n\n" +
      "The copper roof must be inspected before 3 March 2027.\n",
  );
}, testLimitMs);

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 240, rows: 80 },
] as const;

/** Goes from the picker to the records of the planning desk. */
async function openApplications(terminal: OpenedTerminal, newest?: string): Promise<void> {
  await enterPlanning(terminal);
  await goToApplications(terminal, newest);
}

/** The text on the quote's yellow background. */
async function marked(terminal: OpenedTerminal): Promise<string> {
  await terminal.waitForQuiet(100, patient);
  const yellows = [221, 0xff_d7_5f];
  const cells = terminal
    .screen()
    .flatMap((line, row) =>
      Array.from({ length: Bun.stringWidth(line) }, (_, column) => terminal.cell(row, column)),
    );
  const text = cells
    .flatMap((cell) => (yellows.includes(cell.background) ? [cell.text] : []))
    .join("");
  expect(text.trim()).not.toBe("");
  return text.trim();
}

describe.each(sizes)("at $cols x $rows", (size) => {
  test(
    "picker, table, filter, sort, detail, help, and out",
    async () => {
      await using terminal = await openDashboard(platform, size);
      await openApplications(terminal);
      expect(terminal.text()).toContain("planning › planning-application");

      terminal.write("/");
      await terminal.waitFor("filter", patient);
      await terminal.type("status:withdrawn");
      terminal.write(keys.enter);
      await terminal.waitFor("⊘ withdrawn", patient);
      await terminal.waitFor((screen) => !screen.includes("✓ decided"), patient);

      terminal.write("s");
      await terminal.waitFor("Sort by", patient);
      await terminal.type("reference");
      terminal.write(keys.enter);
      await terminal.waitFor("REFERENCE ↑", patient);
      terminal.write(keys.escape);
      await terminal.waitFor("▸ PA-2026-0001", patient);
      await terminal.waitFor((screen) => !screen.includes("filter status"), patient);

      terminal.write(keys.enter);
      await terminal.waitFor(/reference +PA-2026-0001/, patient);
      terminal.write("]");
      await terminal.waitFor('"reference": "PA-2026-0001"', patient);
      terminal.write(keys.escape);
      // A key immediately after Esc would be Alt with that key.
      await terminal.waitFor("▸ PA-2026-0001", patient);
      await terminal.waitForQuiet(100, patient);

      terminal.write("?");
      await terminal.waitFor("Here and now", patient);
      terminal.write(keys.escape);
      await terminal.waitFor((screen) => !screen.includes("Here and now"), patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
      expect(terminal.modes()).toMatchObject({
        alternateScreen: false,
        raw: false,
        cursorHidden: false,
        autowrap: true,
      });
    },
    testLimitMs,
  );
});

test(
  "a file is uploaded, its job watched, and a question about it answered with a source",
  async () => {
    await using terminal = await openDashboard(platform);
    await openApplications(terminal);
    terminal.write("u");
    await terminal.waitFor("Upload a file", patient);
    terminal.write(keys.ctrl("u"));
    terminal.write(keys.paste(`${folder}/`));
    await terminal.waitFor("boathouse.md", patient);
    terminal.write(keys.enter);
    await terminal.waitFor(/▸[ •]boathouse.md/, patient);
    // The details of another job may be in sight until the cursor rests.
    await terminal.waitFor(/┌ boathouse\.md ─[\s\S]*✓ index +succeeded/, patient);

    terminal.write("2");
    await terminal.waitFor("› documents", patient);
    await terminal.waitFor(/▸[ •]boathouse.md/, patient);
    terminal.write("a");
    await terminal.waitFor("about [boathouse.md]", patient);
    await terminal.waitFor("planning-assistant", patient);
    await terminal.type("When must the copper roof be inspected?");
    terminal.write(keys.enter);
    await terminal.waitFor("[1] boathouse.md", patient);
    await terminal.waitFor("before 3 March 2027", patient);
    await terminal.waitFor((screen) => !screen.includes("answering"), patient);
    terminal.write(keys.tab);
    await terminal.waitForQuiet(50, patient);
    terminal.write(keys.enter);
    await terminal.waitFor(/boathouse\.md ─ page 1/, patient);
    await terminal.waitFor("The copper roof must be inspected before 3 March 2027.", patient);
    expect("The copper roof must be inspected before 3 March 2027.").toContain(
      await marked(terminal),
    );
    terminal.write(keys.escape);
    await terminal.waitFor("[1] boathouse.md", patient);
    terminal.write(keys.ctrl("c"));
    expect(await terminal.exitCode).toBe(0);
  },
  testLimitMs,
);

test(
  "documents are filtered by a part of their names, in capitals or not",
  async () => {
    await using terminal = await openDashboard(platform);
    await enterPlanning(terminal);
    terminal.write("2");
    await terminal.waitFor("› documents", patient);
    await terminal.waitFor(/objection-18-\S*ay-street/, patient);
    for (const filter of ["filename:HIGHWAYS", "highways status:ready"]) {
      terminal.write("/");
      await terminal.waitFor("status:ready  filename:plan", patient);
      await terminal.type(filter);
      terminal.write(keys.enter);
      await terminal.waitFor(/▸[ •]highways-resp/, patient);
      await terminal.waitFor((screen) => !screen.includes("objection-18-"), patient);
      terminal.write(keys.escape);
      await terminal.waitFor(/objection-18-\S*ay-street/, patient);
    }
  },
  testLimitMs,
);

test(
  "text full of escapes in a record can't drive the terminal",
  async () => {
    const token = await platform.token();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const ask = async (path: string, init?: RequestInit): Promise<unknown> =>
      (await fetch(`${platform.url}${path}`, { ...init, headers })).json();
    const { items } = (await ask("/v4/identity/tenants")) as {
      items: { id: string; slug: string }[];
    };
    const tenantId = items.find((item) => item.slug === "planning")?.id ?? "";
    const hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj.exe\x1b]52;c;cm0=\x07\r\nend";
    await ask(`/v4/data/resources/${tenantId}/planning-application`, {
      method: "POST",
      body: JSON.stringify({
        reference: "PA-2026-9999",
        address: hostile,
        status: "open",
        received: "2026-11-21",
      }),
    });
    await using terminal = await openDashboard(platform);
    await openApplications(terminal, "PA-2026-9999");
    await terminal.waitFor("gpj.exe end", patient);
    expect(terminal.title()).toMatch(/ › planning-application · svc$/);
    expect(terminal.raw()).not.toContain("owned");
    expect(terminal.raw()).not.toContain("\x1b]52;");
    expect(terminal.raw()).not.toMatch(/[\x07\x80-\x9f\u202a-\u202e]/);
  },
  testLimitMs,
);

describe("the first frame", () => {
  test(
    "stands while the platform says nothing at all, and keys work",
    async () => {
      using silent = Bun.listen({
        hostname: "127.0.0.1",
        port: 0,
        socket: { data: () => {} },
      });
      const env = {
        BASE_URL_PUBLIC_API: `http://127.0.0.1:${silent.port}`,
        SVC_TOKEN: await platform.token(),
      };
      await using terminal = await openSvc({ env });
      await terminal.waitFor("Loading workspaces", patient);
      expect(terminal.text()).toContain("◌ connecting");
      terminal.write("?");
      await terminal.waitFor("Here and now", patient);
      terminal.write(keys.ctrl("c"));
      expect(await terminal.exitCode).toBe(0);
    },
    testLimitMs,
  );

  test(
    "has no colours where none are wanted, and says everything all the same",
    async () => {
      await using terminal = await openDashboard(platform, { env: { NO_COLOR: "1" } });
      await terminal.waitFor("▾ northwind-council", patient);
      await terminal.waitFor("● live", patient);
      expect(terminal.raw()).not.toMatch(/\x1b\[[\d;]*(?:3[0-8]|4[0-8]|9\d|10\d)[\d;]*m/);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    },
    testLimitMs,
  );
});

describe("when no platform answers", () => {
  test(
    "it says so, and one key starts a local platform",
    async () => {
      const home = await temporaryDirectory("home");
      const env = { BASE_URL_PUBLIC_API: "http://127.0.0.1:9" };
      await using terminal = await openSvc({ home, env });
      await terminal.waitFor("does not answer", patient);
      await terminal.waitFor("start or use a platform on this machine", patient);
      terminal.write("l");
      await terminal.waitFor("Your platform has no workspace yet", { timeoutMs: 60_000 });
      // No command could make a workspace on it, so the dashboard itself does.
      terminal.write("D");
      await terminal.waitFor("northwind-council", { timeoutMs: 60_000 });
      expect(terminal.text()).toContain("planning");
      terminal.write(keys.ctrl("c"));
      expect(await terminal.exitCode).toBe(0);
      expect(terminal.modes().alternateScreen).toBe(false);
    },
    testLimitMs,
  );

  test(
    "it says so where a platform that runs already serves one's own data",
    async () => {
      const home = await temporaryDirectory("home");
      await using serving = await startPlatform({ dataDir: join(home, ".svc", "platform") });
      await using terminal = await openSvc({ home, env: { BASE_URL_PUBLIC_API: serving.url } });
      await terminal.waitFor("● answers", patient);
      terminal.write("l");
      await terminal.waitFor("platform is in use", patient);
      expect(terminal.text()).toContain("A running platform uses it: sign in to that one");
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    },
    testLimitMs,
  );

  test(
    "a signed-in user sees the catalog's words and no stack",
    async () => {
      const env = { BASE_URL_PUBLIC_API: "http://127.0.0.1:9", SVC_TOKEN: await platform.token() };
      await using terminal = await openSvc({ env });
      await terminal.waitFor("E201", patient);
      await terminal.waitFor("✗ offline", patient);
      expect(terminal.raw()).not.toMatch(/\bat .*:\d+:\d+/);
      terminal.kill("SIGTERM");
      expect(await terminal.exitCode).toBe(143);
      expect(terminal.modes()).toMatchObject({ alternateScreen: false, raw: false });
    },
    testLimitMs,
  );

  test(
    "a token that is not one leads to the sign-in",
    async () => {
      const env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: "not-a-token" };
      await using terminal = await openSvc({ env });
      await terminal.waitFor("Sign in", patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    },
    testLimitMs,
  );
});
