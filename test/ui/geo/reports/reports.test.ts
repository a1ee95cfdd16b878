import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { copied, copyInForm } from "../../support/copied.ts";
import { openFake } from "../../support/open-fake.ts";

async function openReports(size = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin" }, size);
  await terminal.waitFor("▸ licence");
  terminal.write("-");
  await terminal.waitFor(/▸ parks/);
  terminal.write("]");
  await terminal.waitFor(/▸ parks-by-ward +features of parks +areas of wards/);
  return terminal;
}

describe("the reports by place", () => {
  it("run, show their rows as a table, and list their stored results", async () => {
    await using terminal = await openReports({ cols: 80, rows: 24 });
    terminal.write("R");
    await terminal.waitFor("Parks by ward ─ 2 ─ 40 of 42 items are in a row");
    await terminal.waitFor(/▸ Docklands +30 +▇{12}/);
    await terminal.waitFor(/ Carlton +10 +▇{4} /);
    expect(await copied(terminal)).toContain("svc geo report run parks-by-ward --tenant-id");
    terminal.write("/");
    await terminal.type("carl");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ Carlton");
    terminal.write(keys.escape);
    await terminal.waitFor("Docklands");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ parks-by-ward");
    terminal.write("L");
    await terminal.waitFor(/✗ failed/);
    terminal.write("o");
    await terminal.waitFor("this result has no rows: it is failed");
    terminal.write("R");
    await terminal.waitFor(/◌ queued/);
    terminal.write("G");
    await terminal.waitFor(/▸ .*✓ succeeded +2 +/);
    expect(await copied(terminal)).toContain("svc geo report results parks-by-ward");
    terminal.write("o");
    await terminal.waitFor(/Parks by ward · 2026-11-20/);
    await terminal.waitFor("▸ Docklands");
  });

  it("are scheduled, created by a form of their kind, and deleted", async () => {
    await using terminal = await openReports();
    await terminal.waitFor(/schedule +none/);
    terminal.write("S");
    await terminal.waitFor("Schedule Parks by ward");
    await terminal.type("w");
    await terminal.waitFor(/every +‹ week ›/);
    terminal.write(keys.tab);
    await terminal.type("26:00");
    terminal.write(keys.tab);
    await terminal.waitFor("must be a time such as 06:00");
    terminal.write(keys.backTab + keys.ctrl("u"));
    await terminal.type("07:30");
    expect(await copied(terminal, copyInForm)).toContain(
      "geo report update parks-by-ward --every week --time 07:30",
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("scheduled Parks by ward");
    await terminal.waitFor(/schedule +every week on Monday at 07:30 UTC/);
    terminal.write("c");
    await terminal.waitFor("what it counts or lists");
    await terminal.type("nearest");
    terminal.write(keys.enter);
    await terminal.waitFor("Create a report: list the nearest to a point");
    await terminal.type("near-me");
    terminal.write(keys.tab + keys.tab);
    await terminal.type("f");
    await terminal.waitFor("‹ features of parks ›");
    terminal.write(keys.tab);
    await terminal.type("144.96,-37.8");
    expect(await copied(terminal, copyInForm)).toContain(
      "geo report create near-me --dataset parks --nearest 10 --at 144.96,-37.8",
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor(/▸ near-me +features of parks +the nearest 10 to 144\.96/);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("the report, its schedule and its stored results");
    terminal.write("y");
    await terminal.waitFor("▸ parks-by-ward");
  });
});
