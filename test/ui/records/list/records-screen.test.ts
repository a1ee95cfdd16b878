import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { planningId } from "../../support/fake-platform.ts";
import { openFake, openRecords } from "../../support/open-fake.ts";

/** The cells of a text's first place on the screen. */
function cellsOf(terminal: OpenedTerminal, text: string) {
  const row = terminal.screen().findIndex((line) => line.includes(text));
  const column = terminal.screen()[row]?.indexOf(text) ?? 0;
  return Array.from(text, (_, offset) => terminal.cell(row, column + offset));
}

describe("a list whose pages end early", () => {
  it("is shown to its end, and counted", async () => {
    await using terminal = await openRecords({ count: 42, pageCap: 7 }, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ PA-2026-00042");
    // The last row is the last known one until the next page has come, since there is no total.
    const countOf = (screen: string) => /planning-application ─ (\d+\+?) ─/.exec(screen)?.[1];
    for (let known = countOf(terminal.text()); known !== "42"; known = countOf(terminal.text())) {
      terminal.write("G");
      await terminal.waitFor((screen) => countOf(screen) !== known);
    }
    terminal.write("G");
    await terminal.waitFor("▸ PA-2026-00001");
    terminal.write("gg");
    await terminal.waitFor("▸ PA-2026-00042");
  });

  it("fills a tall screen", async () => {
    await using terminal = await openRecords({ count: 17, pageCap: 3 });
    await terminal.waitFor("planning-application ─ 17 ─");
    for (let at = 1; at <= 17; at += 1) {
      expect(terminal.text()).toContain(`PA-2026-${String(at).padStart(5, "0")}`);
    }
  });
});

describe("the columns of a table", () => {
  it("come from the records where the Object Type has no properties", async () => {
    await using terminal = await openRecords({ bareTypes: true });
    await terminal.waitFor(/REFERENCE +ADDRESS +STATUS +AMOUNT +OFFICER +UPDATED/);
    terminal.write("C");
    await terminal.waitFor("[x] officer");
  });

  it("show the names of referenced records", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("G\r");
    await terminal.waitFor(/▸ WO-1 .*PA-2026-00042/);
  });

  it("show the id of a referenced record that does not exist", async () => {
    await using terminal = openFake({ dangling: true });
    await terminal.waitFor("▸ licence");
    terminal.write("G\r");
    await terminal.waitFor(/▸ WO-1 .*01936f00-0000-7000/);
  });

  it("are hidden, moved and saved", async () => {
    const keepTo = join(await temporaryDirectory("columns"), "kept");
    await using terminal = await openRecords({ keepTo });
    expect(terminal.text()).toContain("OFFICER");
    terminal.write("C");
    await terminal.waitFor("Columns of planning-application");
    await terminal.waitFor("▸[x] reference");
    // The officer goes, the status comes first.
    terminal.write("jjjj");
    await terminal.waitFor("▸[x] officer");
    terminal.write(" kkKK");
    await terminal.waitFor((screen) => /▸\[x\] status\s.*\n.*\[x\] reference/.test(screen));
    terminal.write(keys.enter);
    await terminal.waitFor(/STATUS +REFERENCE +ADDRESS/);
    expect(terminal.text()).not.toContain("OFFICER");
    const line = await readFile(keepTo, "utf8");
    expect(JSON.parse(line)).toEqual([
      `${planningId} planning-application`,
      ["status", "reference", "address", "amount", "updated_at"],
    ]);
  });

  it("are the saved ones, and the default ones again", async () => {
    const storedColumns = { [`${planningId} planning-application`]: ["amount", "gone", "id"] };
    await using terminal = openFake({ storedColumns });
    await terminal.waitFor("▸ licence");
    terminal.write("j");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor(/AMOUNT +ID/);
    expect(terminal.text()).not.toContain("ADDRESS");
    terminal.write("C");
    await terminal.waitFor("▸[x] amount");
    terminal.write("r");
    await terminal.waitFor("[x] reference");
    terminal.write(keys.enter);
    await terminal.waitFor(/REFERENCE +ADDRESS/);
  });

  it("do not change with Esc, and fit the smallest screen", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    terminal.write("C");
    await terminal.waitFor("▸[x] reference");
    terminal.write(" ");
    await terminal.waitFor("▸[ ] reference");
    expect(terminal.text()).toContain("↵ saves");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("↵ saves"));
    expect(terminal.text()).toContain("REFERENCE");
  });
});

describe("the selected row", () => {
  const edgeOf = (terminal: OpenedTerminal) =>
    terminal.screen().find((line) => line.includes("planning-application ─")) ?? "";

  it("is shown at the edge of a list that does not fit", async () => {
    await using terminal = await openRecords({ count: 3_402 });
    expect(edgeOf(terminal)).toMatch(/planning-application ─ 3,402 ─.* row 1 ─[┐┓]$/);
    terminal.write("jj");
    await terminal.waitFor(/ row 3 ─/);
    terminal.write("G");
    await terminal.waitFor(/ row 3,402 ─/);
  });

  it("is not shown for a list that fits", async () => {
    await using terminal = await openRecords({ count: 5 });
    expect(edgeOf(terminal)).toContain("planning-application ─ 5 ─");
    expect(edgeOf(terminal)).not.toContain(" row ");
  });

  it("gives way to the other facts of the title", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    expect(edgeOf(terminal)).toMatch(/ row 1 ─┐$/);
    terminal.write("/");
    await terminal.type('{"reference":{"$regex":"^PA-2026-000"}}');
    terminal.write(keys.enter);
    // There are as many as before, and still more than fit.
    await terminal.waitFor(/ ─ 42 ─ .*─ filter \{"reference.*┐$/m);
    expect(edgeOf(terminal)).not.toContain(" row ");
  });
});

describe("a filter", () => {
  it("shows the place of a problem", async () => {
    await using terminal = await openRecords();
    terminal.write("/");
    await terminal.type("amount:many status:open");
    await terminal.waitFor(/filter amount:many status:open$/m);
    await terminal.waitFor('amount must be a number, not "many"');
    expect(cellsOf(terminal, "many").every((cell) => cell.underline)).toBe(true);
    expect(cellsOf(terminal, "amount").some((cell) => cell.underline)).toBe(false);
    terminal.write(keys.enter);
    await terminal.waitForQuiet(150);
    expect(terminal.text()).toContain('amount must be a number, not "many"');
    terminal.write(keys.ctrl("u"));
    await terminal.type('{"status" "open"}');
    await terminal.waitFor("not JSON yet: a : is missing after the name");
  });

  it("shows the platform's refusal, and its place in the typed text", async () => {
    await using terminal = await openRecords();
    terminal.write("/");
    await terminal.type('{"amount":{"$foo":1}}');
    terminal.write(keys.enter);
    await terminal.waitFor("where › amount › $foo: is not a known operator");
    expect(terminal.text()).toContain("esc removes it, / changes it.");
    expect(terminal.text()).not.toContain("#/");
    terminal.write("/");
    await terminal.waitFor(/filter \{"amount":\{"\$foo":1\}\}$/m);
    await terminal.waitFor(/^│?[^›\n]* amount › \$foo: is not a known operator/m);
    await terminal.waitForQuiet(150);
    expect(cellsOf(terminal, "$foo").every((cell) => cell.underline)).toBe(true);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !/filter \{[^─\n]*$/m.test(screen));
    terminal.write(keys.escape);
    await terminal.waitFor(/planning-application ─ 42 ─/);
  });

  it("completes fields and their values", async () => {
    await using terminal = await openRecords();
    terminal.write("/");
    await terminal.type("sta");
    await terminal.waitFor((screen) => /filter sta[^\n]*\n[^\n]* status/.test(screen));
    terminal.write(keys.tab);
    await terminal.waitFor(/open {2}decided {2}withdrawn/);
    await terminal.type("w");
    terminal.write(keys.tab);
    await terminal.waitFor("filter status:withdrawn");
    terminal.write(keys.enter);
    await terminal.waitFor(/planning-application ─ 14 ─/);
  });

  it("can be taken from the history", async () => {
    await using terminal = await openRecords();
    for (const text of ["status:open", "status:decided"]) {
      terminal.write("/");
      await terminal.waitFor(/filter +/);
      terminal.write(keys.ctrl("u"));
      await terminal.type(text);
      terminal.write(keys.enter);
      await terminal.waitFor(`filter ${text} ─`);
    }
    terminal.write("/");
    await terminal.waitFor(/filter status:decided$/m);
    terminal.write(keys.up);
    await terminal.waitFor(/filter status:open$/m);
    terminal.write(keys.down);
    await terminal.waitFor(/filter status:decided$/m);
    terminal.write(keys.up);
    await terminal.waitFor(/filter status:open$/m);
    terminal.write(keys.enter);
    await terminal.waitFor("filter status:open ─");
  });
});
