import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { copied, copyInForm } from "../../support/copied.ts";
import { openFake, type Wish } from "../../support/open-fake.ts";

async function openDatasets(wish: Wish = {}, size = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish }, size);
  await terminal.waitFor("▸ licence");
  terminal.write("-");
  await terminal.waitFor("[datasets]  reports");
  return terminal;
}

describe("the datasets of places", () => {
  it("show their details, and are changed, filled and deleted by their keys", async () => {
    await using terminal = await openDatasets();
    await terminal.waitFor(/▸ parks +City parks +2 +CC-BY-4\.0/);
    await terminal.waitFor(/area +37\.9 S, 144\.9 E to 37\.7 S, 145\.1 E/);
    expect(await copied(terminal)).toContain("svc geo datasets show parks --tenant-id");
    terminal.write("e");
    await terminal.waitFor("Change City parks");
    terminal.write(keys.end);
    await terminal.type(" 2026");
    expect(await copied(terminal, copyInForm)).toContain(
      "geo datasets update parks --title 'City parks 2026'",
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("changed City parks 2026");
    terminal.write("I");
    await terminal.waitFor("Import features into parks");
    terminal.write(keys.paste(`${process.cwd()}/package.json`));
    await terminal.waitFor("package.json");
    terminal.write(keys.enter);
    await terminal.waitFor(/Import package\.json \(.+ kB\) into parks, in place of 2 features/);
    terminal.write(keys.tab + keys.right);
    expect(await copied(terminal, copyInForm)).toMatch(/geo import parks .*--dry-run --wait/);
    terminal.write(keys.left + keys.ctrl("s"));
    await terminal.waitFor("3 stored, 1 repaired, 1 refused");
    await terminal.waitFor("feature 4 (x): /geometry crosses itself");
    terminal.write(keys.enter);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("reports by its areas can no longer run");
    await terminal.type("parks");
    terminal.write(keys.enter);
    await terminal.waitFor(/▸ wards +Wards/);
  });

  it("offer the key that creates one, or its reason, at 80x24", async () => {
    await using terminal = await openDatasets({ noEvents: true }, { cols: 80, rows: 24 });
    await terminal.waitFor("c creates one, into which a file is imported.");
    terminal.write("c");
    await terminal.waitFor("Create a dataset");
    await terminal.type("trees");
    expect(await copied(terminal, copyInForm)).toContain("svc geo datasets create trees");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor(/▸ trees +0/);
    await terminal.waitFor(/ L features  I import  c create  .*: go to  \? help/);
  });
});
