import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform, svc } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys, type OpenedTerminal } from "../support/tty.ts";
import { goToApplications, openSvc, patient } from "../ui/support/open-dashboard.ts";

const testLimitMs = 120_000;

let platform: RunningPlatform;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
}, testLimitMs);

/** A user who works in the planning desk, and whose settings last from one visit to the next. */
async function officer(): Promise<{ home: string; env: Record<string, string> }> {
  const home = await temporaryDirectory("officer");
  const env = { BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: await platform.token() };
  const { exitCode } = await svc(["workspace", "select", "planning"], { home, env });
  expect(exitCode).toBe(0);
  return { home, env };
}

async function openApplications(terminal: OpenedTerminal): Promise<void> {
  await terminal.waitFor(/PLANNING APPLICATION +\d/, patient);
  await goToApplications(terminal);
}

test(
  "columns that were chosen are there again at the next visit",
  async () => {
    const user = await officer();
    {
      await using terminal = await openSvc(user);
      await openApplications(terminal);
      expect(terminal.text()).toContain("ADDRESS");
      terminal.write("C");
      await terminal.waitFor("▸[x] reference", patient);
      terminal.write("j");
      await terminal.waitFor("▸[x] address", patient);
      terminal.write(" ");
      await terminal.waitFor("▸[ ] address", patient);
      terminal.write(keys.enter);
      await terminal.waitFor((screen) => !screen.includes("ADDRESS"), patient);
      terminal.write("q");
      expect(await terminal.exitCode).toBe(0);
    }
    // The dashboard opens at the place of the last visit.
    await using terminal = await openSvc(user);
    await terminal.waitFor("STATUS", patient);
    expect(terminal.text()).not.toContain("ADDRESS");
  },
  testLimitMs,
);

test(
  "a search opens a record, bars lead to a group, and an export is what its command writes",
  async () => {
    const user = await officer();
    const folder = await temporaryDirectory("export");
    await using terminal = await openSvc(user);
    await openApplications(terminal);

    terminal.write("f");
    await terminal.waitFor("Search planning-application", patient);
    await terminal.type("quay sail loft");
    await terminal.waitFor(/▸ PA-2026-0042 .* text \d+\.\d+ {2}vector \d+\.\d+/, patient);
    terminal.write(keys.enter);
    await terminal.waitFor(/applicant +Harbour Lofts Ltd/, patient);
    terminal.write(keys.escape);
    await terminal.waitFor("▸ PA-2026-0042", patient);

    terminal.write("b");
    await terminal.waitFor("planning-application by status ─ 5 ─ records", patient);
    await terminal.waitFor(/▸ decided +█+ +26 +61\.9 %/, patient);
    terminal.write(keys.enter);
    await terminal.waitFor(/planning-application ─ 26 ─.*filter status=decided/, patient);

    terminal.write("x");
    await terminal.waitFor("▸ NDJSON", patient);
    await terminal.type("every");
    await terminal.waitFor("▸ CSV: every field", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("A file for the 26 records of the list", patient);
    terminal.write(keys.ctrl("u"));
    const path = join(folder, "decided.csv");
    await terminal.type(path);
    terminal.write(keys.enter);
    await terminal.waitFor("wrote 26 records", patient);
    const words = ["resources", "list", "planning-application", "--all", "--format", "csv"];
    const where = ["--where", '{"status":"decided"}', "--sort", "-created_at"];
    const { stdout, exitCode } = await svc([...words, ...where], user);
    expect(exitCode).toBe(0);
    expect(await readFile(path, "utf8")).toBe(stdout);
  },
  testLimitMs,
);

test(
  "a file is imported by a form that shows its first rows",
  async () => {
    const user = await officer();
    const path = join(await temporaryDirectory("import"), "rows.csv");
    const lines = ["Reference;Address;Due", "PA-2027-0001;1 New Lane;14.11.2026"];
    await writeFile(path, `${lines.join("\n")}\n`);
    await using terminal = await openSvc(user);
    await openApplications(terminal);
    terminal.write("I");
    await terminal.waitFor("Import a file into planning-application", patient);
    terminal.write(keys.ctrl("u"));
    await terminal.type(path);
    await terminal.waitFor("▸ rows.csv", patient);
    terminal.write(keys.enter);
    await terminal.waitFor("CSV, utf-8, separated by ;, header in row 1", patient);
    await terminal.waitFor(/2 ✗ reject +Due \(C\) "14\.11\.2026" is no date/, patient);
    terminal.write(keys.down.repeat(4));
    await terminal.waitFor("▸ (dates)", patient);
    await terminal.type("DD.MM.YYYY");
    await terminal.waitFor(/2 ✗ reject +[a-z]+ is required/, patient);
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("0 created, 0 changed, 1 rejected", patient);
  },
  testLimitMs,
);
