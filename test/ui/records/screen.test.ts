import { describe, expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { copied } from "../support/copied.ts";
import { planningId } from "../support/fake-platform.ts";
import { choose, openFake, openRecords, openRecordsFromTypes } from "../support/open-fake.ts";

describe("records", () => {
  it("sorts by a chosen field and back", async () => {
    await using terminal = await openRecords();
    await choose(terminal, "s", "Sort by", "refer");
    await terminal.waitFor("REFERENCE ↑");
    await terminal.waitFor("▸ PA-2026-00001");
    terminal.write("S");
    await terminal.waitFor("REFERENCE ↓");
    await terminal.waitFor("▸ PA-2026-00042");
  });

  it("filters, shows problems during typing, and clears the filter", async () => {
    await using terminal = await openRecords();
    terminal.write("/");
    await terminal.type("stat:x");
    await terminal.waitFor('there is no field "stat"');
    terminal.write(keys.ctrl("u"));
    await terminal.type("status:decided");
    terminal.write(keys.enter);
    await terminal.waitFor("filter status:decided");
    await terminal.waitFor(/planning-application ─ 14 ─/);
    await terminal.waitFor((screen) => !screen.includes("withdrawn"));
    terminal.write(keys.escape);
    await terminal.waitFor(/planning-application ─ 42 ─/);
  });

  it("loses no key of a burst, on a large screen too", async () => {
    await using terminal = openFake({}, { cols: 240, rows: 80 });
    await terminal.waitFor("▸ licence");
    terminal.write("j\r");
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("jjjkG\r");
    await terminal.waitFor("▸ PA-2026-00001");
    // A key that comes with Esc is Alt and that key: so first into the details, then out of them.
    const isInTable = () => (terminal.screen().at(-1) ?? "").startsWith(" ↵ open");
    await terminal.waitFor(() => !isInTable());
    terminal.write(keys.escape);
    await terminal.waitFor(isInTable);
    terminal.write("/status:withdrawn\r");
    await terminal.waitFor(/filter status:withdrawn ─/);
    await terminal.waitFor(/planning-application ─ 14 ─/);
  });

  it("does not treat typed letters of a filter as keys", async () => {
    await using terminal = await openRecords();
    terminal.write("/");
    await terminal.waitFor("filter");
    await terminal.type("q3?:");
    await terminal.waitFor("q3?:");
    expect(terminal.text()).toContain("▸ PA-2026-00042");
  });

  it("pages through ten thousand rows and back to the first", async () => {
    await using terminal = await openRecords({ count: 10_000 });
    expect(terminal.text()).toContain("10,000");
    terminal.write("G");
    await terminal.waitFor("▸ PA-2026-00001");
    terminal.write(keys.pageUp);
    await terminal.waitFor((screen) => !screen.includes("PA-2026-00001 "));
    terminal.write("g");
    await terminal.waitFor("▸ PA-2026-10000");
  });

  it("goes back to the row that was left", async () => {
    await using terminal = await openRecords();
    terminal.write("jjj");
    await terminal.waitFor("▸ PA-2026-00039");
    terminal.write("5");
    await terminal.waitFor("ada@northwind.example");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ PA-2026-00039");
  });

  it("deletes only after the slug has been typed", async () => {
    await using terminal = await openRecords();
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete PA-2026-00042");
    expect(terminal.text()).toContain("svc resources delete");
    terminal.write("y");
    terminal.write(keys.enter);
    await terminal.waitFor("› y");
    terminal.write(keys.ctrl("u"));
    await terminal.type("planning-applicatio");
    await terminal.waitFor("› planning-applicatio");
    terminal.write(keys.enter);
    await terminal.waitForQuiet(150);
    expect(terminal.text()).toContain("Delete PA-2026-00042");
    // A busy moment ends with an Enter that is too early, the letter, and the right Enter.
    terminal.write("\rn\r");
    await terminal.waitFor("deleted PA-2026-00042");
    await terminal.waitFor("▸ PA-2026-00041");
  });

  it("marks records and deletes all of them after one question", async () => {
    await using terminal = openFake();
    await terminal.waitFor("▸ licence");
    terminal.write("j\r");
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write("   ");
    await terminal.waitFor("3 marked");
    await terminal.waitFor("▸ PA-2026-00039");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete 3 records");
    expect(terminal.text()).toContain("planning-application PA-2026-00041, version 1");
    await terminal.type("planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor("deleted 3 records");
    await terminal.waitFor(/planning-application ─ 39 ─/);
    expect(terminal.text()).not.toContain("marked");
  });

  it("offers a viewer no forbidden key, and reports the required role", async () => {
    const wide = { cols: 200, rows: 40 };
    await using terminal = await openRecordsFromTypes({ role: "tenant-viewer" }, wide);
    const footer = () => terminal.screen().at(-1) ?? "";
    await terminal.waitFor(() => /↵ open .*x export to a file/.test(footer()));
    expect(footer()).not.toMatch(/edit|create|upload|delete|action/);
    terminal.write("d");
    await terminal.waitFor("do an action: needs the role tenant-staff; yours is tenant-viewer");
    terminal.write("2");
    await terminal.waitFor("plans.pdf");
    await terminal.waitFor(() => footer().includes("t read text"));
    expect(footer()).not.toMatch(/upload|ask about it|delete/);
    terminal.write(keys.escape);
    await terminal.waitFor("▸ PA-2026-00042");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ planning-application");
    terminal.write("k");
    await terminal.waitFor("▸ licence");
    terminal.write(keys.enter);
    await terminal.waitFor("There is no licence yet.");
    expect(terminal.text()).toContain(
      "create: needs the role tenant-staff; yours is tenant-viewer.",
    );
  });

  it("says which role a key needs", async () => {
    await using terminal = await openRecords({ role: "tenant-viewer" });
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("needs the role tenant-staff; yours is tenant-viewer");
  });

  it("copies the command that does the same", async () => {
    await using terminal = await openRecords();
    expect(await copied(terminal)).toBe(
      "BASE_URL_PUBLIC_API=http://platform.test svc resources list planning-application " +
        `--tenant-id ${planningId} --profile default`,
    );
    await terminal.waitFor("copied: BASE_URL_PUBLIC_API=http://platform.test svc ");
  });
});
