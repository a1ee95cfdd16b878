import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../support/temporary.ts";
import { keys, type OpenedTerminal, type TerminalOptions } from "../../../support/tty.ts";
import { copied } from "../../support/copied.ts";
import { choose, openOrders, openRecords, type Wish } from "../../support/open-fake.ts";

/** The dashboard with the details of the one works order that there is. */
async function openOrder(
  wish: Wish = {},
  options: Partial<TerminalOptions> = {},
): Promise<OpenedTerminal> {
  const terminal = await openOrders(wish, options);
  terminal.write(keys.enter);
  await terminal.waitFor("[fields]");
  return terminal;
}

describe("a record's details", () => {
  it("show each field, and open the record that a field refers to", async () => {
    await using terminal = await openOrder({}, { rows: 60 });
    await terminal.waitFor("53.4043 N, 2.9561 W");
    expect(terminal.text()).toContain("● open  (Decide → decided)");
    await terminal.waitFor("by ada@northwind.example");
    terminal.write("jj");
    await terminal.waitFor("→ PA-2026-00042  planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("┌ PA-2026-00042");
    await terminal.waitFor("1 Quay Street");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ WO-1");
  });

  it("delete a record that was opened from a reference, and go back", async () => {
    await using terminal = await openOrder({}, { cols: 80, rows: 24 });
    terminal.write("jj");
    terminal.write(keys.enter);
    await terminal.waitFor("┌ PA-2026-00042");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("planning-application PA-2026-00042, version 1");
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("deleted PA-2026-00042");
    await terminal.waitFor("┌ WO-1");
  });

  it("warn if another user deleted the shown record", async () => {
    const goneWhile = join(await temporaryDirectory("gone"), "gone");
    await using terminal = await openOrder({ goneWhile }, { cols: 80, rows: 24 });
    terminal.write("jj");
    terminal.write(keys.enter);
    await terminal.waitFor("┌ PA-2026-00042");
    await writeFile(goneWhile, "");
    terminal.write("r");
    await terminal.waitFor("▲ Deleted: this is its last known state");
    expect(terminal.text()).toContain("1 Quay Street");
    expect(terminal.text()).not.toContain("tries again");
  });

  it("show member names of a workspace with many members", async () => {
    await using terminal = await openOrder({ crowded: true }, { rows: 60 });
    await terminal.waitFor("by ada@northwind.example");
    terminal.write("]]");
    await terminal.waitFor("[history]");
    await terminal.waitFor(/version 2 · update by ada@northwind\.example/);
    terminal.write(keys.enter);
    await terminal.waitFor("The record in this version");
    await terminal.waitFor("by ada@northwind.example");
    expect(terminal.text()).not.toContain("01936f00-0000-7000-8000-0000000000aa");
  });

  it("report a referenced record that was deleted", async () => {
    await using terminal = await openOrder({ dangling: true });
    terminal.write("jj");
    await terminal.waitFor("→ 01936f00-0000-7000-9000-00000000dead  planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("✗ E202");
    await terminal.waitFor("r tries again");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ WO-1");
  });

  it("unfold nested values", async () => {
    await using terminal = await openOrder({}, { rows: 60 });
    await terminal.waitFor("▸ 2 items");
    terminal.write("jjjjjjjj");
    terminal.write(keys.enter);
    await terminal.waitFor("▾ 2 items");
    await terminal.waitFor("▸ 2 fields  name, count");
    terminal.write("h");
    await terminal.waitFor("▸ 2 items");
  });

  it("show every version, its changes, and the record in that version", async () => {
    await using terminal = await openOrder();
    terminal.write("]]");
    await terminal.waitFor("[history]");
    await terminal.waitFor("~ cost  100 → 120");
    terminal.write("j");
    await terminal.waitFor("+ reference  WO-1");
    terminal.write("k");
    await terminal.waitFor("~ cost  100 → 120");
    expect(await copied(terminal)).toContain("svc resources history works-order");
    terminal.write(keys.enter);
    await terminal.waitFor("The record in this version");
    await terminal.waitFor("version 2 · update by ada@northwind.example");
    expect(await copied(terminal)).toContain("--version 2");
    terminal.write(keys.escape);
    await terminal.waitFor("OPERATION");
  });

  it("show two versions side by side from 120 columns on, else one below the other", async () => {
    await using terminal = await openOrder();
    terminal.write("]]");
    await terminal.waitFor("~ cost  100 → 120");
    terminal.write("j ");
    await terminal.waitFor("✓ 1");
    terminal.write("k");
    await terminal.waitFor(/VERSION 1 +VERSION 2/);
    await terminal.waitFor(/│ *100 +120/);
    // The mark stays where a resize draws the tab in another pane.
    terminal.resize(80, 24);
    await terminal.waitFor(/VERSION 1 {10,50}VERSION 2/);
    terminal.resize(50, 20);
    await terminal.waitFor("- version 1  + version 2");
    await terminal.waitFor("~ cost  100 → 120");
    terminal.write(keys.enter);
    await terminal.waitFor((screen) => !screen.includes("OPERATION"));
    terminal.write(keys.escape);
    await terminal.waitFor("OPERATION");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("✓ 1"));
  });

  it("show the JSON in one pane on a small terminal", async () => {
    await using terminal = await openOrder({}, { cols: 80, rows: 24 });
    terminal.write("]");
    await terminal.waitFor("[json]");
    await terminal.waitFor('"type": "works-order"');
    expect(terminal.text()).not.toContain("REFERENCE");
    terminal.write("G");
    await terminal.waitFor('"updated_by"');
    terminal.write("]");
    await terminal.waitFor("~ cost  100 → 120");
    expect(terminal.screen()).toHaveLength(24);
  });

  it("have the keys of the record, not those of the list that they cover", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    const footer = () => terminal.screen().at(-1) ?? "";
    await terminal.waitFor(() => /↵ open .*\/ filter .*esc back/.test(footer()));
    terminal.write(keys.enter);
    await terminal.waitFor("[fields]");
    await terminal.waitFor(() => /^ e edit .*\] next tab .*esc back/.test(footer()));
    expect(footer()).not.toMatch(/filter|sort|columns|bars/);
    // The filter would be typed out of sight.
    terminal.write("/");
    terminal.write("]");
    await terminal.waitFor("[json]");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("/");
    await terminal.waitFor(/^ filter /m);
  });

  it("are safe to draw, whatever the record contains", async () => {
    await using terminal = await openOrder({ hostile: true });
    for (const tab of ["json", "history", "timeline", "files"]) {
      terminal.write("]");
      await terminal.waitFor(`[${tab}]`);
      await terminal.waitForQuiet(100);
      expect(terminal.title()).not.toContain("owned");
    }
    const drawn = terminal.raw();
    expect(drawn).not.toContain("\x1b]52;c;cm0=");
    expect(drawn).not.toContain("\x1b[31mred");
    expect(drawn).not.toContain("\u202e");
  });

  it("upload a file, save it, ask before replacing, and delete it", async () => {
    const folder = await temporaryDirectory("files");
    await writeFile(join(folder, "plans.pdf"), "%PDF-1.4 a plan");
    await using terminal = await openOrder();
    terminal.write("[");
    await terminal.waitFor("No file yet");
    terminal.write("u");
    await terminal.waitFor("A file for plans of WO-1");
    terminal.write(keys.ctrl("u"));
    await terminal.type(join(folder, "plans.pdf"));
    terminal.write(keys.enter);
    await terminal.waitFor("plans.pdf is on plans; the record is version 3");
    await terminal.waitFor("15 B  application/pdf");

    terminal.write("s");
    await terminal.waitFor("Save plans of WO-1");
    const saved = join(folder, "saved.pdf");
    terminal.write(keys.ctrl("u"));
    await terminal.type(saved);
    terminal.write(keys.enter);
    await terminal.waitFor("saved.pdf (15 B");
    expect(await readFile(saved, "utf8")).toBe("%PDF-1.4 a plan");

    await writeFile(saved, "mine");
    terminal.write("s");
    await terminal.waitFor("Save plans of WO-1");
    terminal.write(keys.ctrl("u"));
    await terminal.type(saved);
    terminal.write(keys.enter);
    await terminal.waitFor("its content is lost");
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes("its content is lost"));
    expect(await readFile(saved, "utf8")).toBe("mine");

    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete the file plans");
    expect(terminal.text()).toContain("svc resources file delete");
    await terminal.type("plans");
    terminal.write(keys.enter);
    await terminal.waitFor("No file yet");
  });

  it("do not give files to the editor", async () => {
    const folder = await temporaryDirectory("files");
    const [plans, opened] = [join(folder, "plans.pdf"), join(folder, "opened")];
    await writeFile(plans, "%PDF-1.4 a plan");
    const editor = join(folder, "editor");
    await writeFile(editor, `cp "$1" ${opened}\n`);
    await using terminal = await openOrder({}, { env: { EDITOR: `sh ${editor}` } });
    terminal.write("[");
    await terminal.waitFor("No file yet");
    terminal.write("u");
    await terminal.waitFor("A file for plans of WO-1");
    terminal.write(keys.ctrl("u"));
    await terminal.type(plans);
    terminal.write(keys.enter);
    await terminal.waitFor("15 B  application/pdf");
    terminal.write("E");
    await terminal.waitFor("nothing was changed");
    const data: unknown = JSON.parse(await readFile(opened, "utf8"));
    expect(data).toHaveProperty("reference", "WO-1");
    expect(data).not.toHaveProperty("plans");
  });

  it("offer no save or delete without a file", async () => {
    await using terminal = await openOrder({}, { cols: 80, rows: 24 });
    const footer = () => terminal.screen().at(-1) ?? "";
    terminal.write("]]]]");
    await terminal.waitFor("No file yet");
    await terminal.waitFor(() => footer().includes("u upload"));
    expect(footer()).not.toMatch(/save the file|open/);
    // The key must not delete the record.
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("there is no file on");
  });

  it("show why an action is disabled, and ask for its parameters", async () => {
    await using terminal = await openOrder({ role: "tenant-staff" });
    terminal.write("d");
    await terminal.waitFor("Choose an action for WO-1");
    expect(terminal.text()).toContain("open → decided");
    await terminal.waitFor("needs the role tenant-admin");
    terminal.write(keys.enter);
    await terminal.waitFor("reason *");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("✗ is required");
    await terminal.type("ok");
    await terminal.waitFor("has 2 characters; must have at least 3");
    await terminal.type("ay");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("Decide: WO-1 is version 3");
    await terminal.waitFor("✓ decided");
    terminal.write("d");
    await terminal.waitFor("status must be open");
  });

  it("are refreshed before a refused action is tried again", async () => {
    await using terminal = await openOrder({ meanwhile: "change" });
    const decide = async () => {
      await choose(terminal, "d", "Choose an action for WO-1", "decide");
      await terminal.waitFor("reason *");
      await terminal.type("okay");
      terminal.write(keys.ctrl("s"));
    };
    await decide();
    await terminal.waitFor("✗ E205");
    terminal.write(keys.escape);
    await terminal.waitFor("y yes");
    terminal.write("y");
    await terminal.waitFor((screen) => !screen.includes("reason *"));
    // Sooner than the list would have been asked again anyway.
    await terminal.waitFor(/cost +500/, { timeoutMs: 20_000 });
    await decide();
    await terminal.waitFor("Decide: WO-1 is version 4");
  });

  it("ask before an action without parameters", async () => {
    await using terminal = await openOrder();
    await choose(terminal, "d", "Choose an action for WO-1", "purge");
    await terminal.waitFor("svc publicapi post");
    terminal.write("n");
    await terminal.waitFor((screen) => !screen.includes("svc publicapi post"));
    await choose(terminal, "d", "Choose an action for WO-1", "purge");
    await terminal.waitFor("svc publicapi post");
    terminal.write("y");
    await terminal.waitFor("purge: WO-1 is version 3");
  });
});
