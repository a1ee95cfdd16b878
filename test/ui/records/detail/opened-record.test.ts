import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys, type OpenedTerminal, type TerminalOptions } from "../../../support/tty.ts";
import { copied } from "../../support/copied.ts";
import { openFake, openRecords, type Wish } from "../../support/open-fake.ts";

const small = { cols: 80, rows: 24 };

/** The details of the newest application, with the focus on them. */
async function openNewest(
  wish: Wish = {},
  options: Partial<TerminalOptions> = {},
): Promise<OpenedTerminal> {
  const terminal = await openRecords(wish, options);
  terminal.write(keys.enter);
  await terminal.waitFor(/^ e edit/m);
  return terminal;
}

/** The newest open application is decided, while only open ones are listed. */
async function decideListed(options: Partial<TerminalOptions>): Promise<OpenedTerminal> {
  const terminal = await openRecords({}, options);
  terminal.write("/");
  await terminal.type("status:open");
  terminal.write(keys.enter);
  await terminal.waitFor(/planning-application ─ 14 ─/);
  terminal.write(keys.enter);
  await terminal.waitFor(/^ e edit/m);
  terminal.write("d");
  await terminal.waitFor("Choose an action for PA-2026-00042");
  terminal.write(keys.enter);
  await terminal.waitFor("decide: PA-2026-00042");
  terminal.write("y");
  await terminal.waitFor("decide: PA-2026-00042 is version 2");
  return terminal;
}

describe("the opened document or job", () => {
  it.each([
    ["2", "DOC-2026-000042"],
    ["3", "extract"],
  ])("stays when newer ones come (%s)", async (place, known) => {
    const there = join(await temporaryDirectory("later"), "there");
    const wish = { newcomerWhile: there, jobStatus: "failed" };
    await using terminal = openFake(wish, { cols: 200, rows: 40 });
    await terminal.waitFor("▸ licence");
    terminal.write(place);
    await terminal.waitFor("▸ plans.pdf");
    await terminal.waitFor(known);
    terminal.write(keys.enter);
    await terminal.waitFor("esc back");
    await writeFile(there, "");
    terminal.write("r");
    await terminal.waitFor("later.pdf");
    await terminal.waitFor("▸ plans.pdf");
    expect(terminal.text()).toContain("┌ plans.pdf");
    expect(terminal.text()).not.toContain("┌ later.pdf");
  });
});

describe("the record that is open", () => {
  it.each([
    ["where one pane fits", small],
    ["next to its list", { cols: 200, rows: 40 }],
  ])("stays when its own save takes it out of the filter, %s", async (_, size) => {
    await using terminal = await decideListed(size);
    await terminal.waitFor("▲ No longer listed here: filter status:open");
    await terminal.waitFor("✓ decided");
    expect(terminal.text()).toContain("┌ PA-2026-00042");
    // The next keys act on it, not on the record that took its row.
    expect(await copied(terminal)).toContain("svc resources get planning-application");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete PA-2026-00042");
    expect(terminal.text()).toContain("planning-application PA-2026-00042, version 2");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Delete PA-2026-00042"));
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("No longer listed here"));
    await terminal.waitFor("▸ PA-2026-00039");
  });

  it("stays when a newer one arrives before any move in the list", async () => {
    const there = join(await temporaryDirectory("later"), "there");
    await using terminal = await openNewest({ newcomerWhile: there }, { cols: 200, rows: 40 });
    await writeFile(there, "");
    terminal.write("r");
    await terminal.waitFor("row 2");
    await terminal.waitFor("▸ PA-2026-00042");
    expect(terminal.text()).toContain("┌ PA-2026-00042");
    expect(terminal.text()).not.toContain("┌ PA-2027-00001");
  });

  it("gives way to its list when it is deleted", async () => {
    await using terminal = await openNewest({}, small);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete PA-2026-00042");
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("deleted PA-2026-00042");
    await terminal.waitFor("▸ PA-2026-00041");
    expect(terminal.text()).toContain("REFERENCE");
  });

  it("is deleted, not the marked records of the list that it covers", async () => {
    await using terminal = await openRecords({}, small);
    terminal.write("  ");
    await terminal.waitFor("2 marked");
    terminal.write(keys.enter);
    await terminal.waitFor("┌ PA-2026-00040");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete PA-2026-00040");
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("deleted PA-2026-00040");
    await terminal.waitFor("2 marked");
  });
});
