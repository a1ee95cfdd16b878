import { describe, expect, it } from "vitest";
import { keys } from "../../../support/tty.ts";
import { copied } from "../../support/copied.ts";
import { choose, openFake, openRecords } from "../../support/open-fake.ts";

describe("records as bars", () => {
  it("are grouped, counted, and lead to the records of a group", async () => {
    await using terminal = await openRecords();
    terminal.write("b");
    await terminal.waitFor("planning-application by status");
    await terminal.waitFor(/▸ open +█+ +14 +33\.3 %/);
    expect(terminal.text()).toMatch(/withdrawn +█+ +14 +33\.3 %/);
    // No caution where all groups are there.
    expect(terminal.text()).not.toContain("▲");
    await choose(terminal, "m", "Figure of each group", "sum of am");
    await terminal.waitFor(/▸ withdrawn +█+ +3,010 +35\.0 %/);
    await choose(terminal, "B", "Group by", "offi");
    await terminal.waitFor("planning-application by officer");
    await terminal.waitFor(/▸ j\.lindqvist/);
    terminal.write("j");
    await terminal.waitFor("▸ m.okafor");
    terminal.write(keys.enter);
    await terminal.waitFor(/planning-application ─ 21 ─.*filter officer=m\.okafor/);
    // First the filter goes, then the way leads back to the bars.
    terminal.write(keys.escape);
    await terminal.waitFor(/planning-application ─ 42 ─/);
    terminal.write(keys.escape);
    await terminal.waitFor("planning-application by officer");
  });

  it("are empty at once if no property can group records", async () => {
    await using terminal = openFake({ propertyless: true });
    await terminal.waitFor("▸ licence");
    terminal.write(keys.enter);
    await terminal.waitFor("There is no licence yet.");
    terminal.write("c");
    await terminal.waitFor("There is nothing to fill in.");
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("Create licence"));
    terminal.write("b");
    await terminal.waitFor("licence has no property that can group its records.");
  });

  it("count only what the filter shows, and say when groups are missing", async () => {
    await using terminal = await openRecords({ truncated: true }, { cols: 80, rows: 24 });
    terminal.write("/");
    await terminal.type("status=open");
    terminal.write(keys.enter);
    await terminal.waitFor("filter status=open ─");
    terminal.write("b");
    await terminal.waitFor("▲ These are the first 1,000 groups in the order of status.");
    await terminal.waitFor(/▸ open +█+ +14/);
    expect(terminal.text()).not.toContain("%");
    expect(await copied(terminal)).toContain(
      "svc resources aggregate planning-application --group-by status",
    );
  });
});

describe("the storage", () => {
  it("shows its backends, what is wrong and what mends it", async () => {
    await using terminal = openFake({}, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ licence");
    terminal.write("6");
    await terminal.waitFor("the platform is ok");
    terminal.write("]");
    await terminal.waitFor("missing-blob planning-application (2)");
    expect(terminal.text()).toContain("catalog on SQLite  ● ok");
    expect(terminal.text()).toMatch(/files on disk +✗ down/);
    expect(terminal.text()).toContain("mend: upload them again");
    expect(terminal.text()).toContain("- PA-2026-00042 plan");
    expect(terminal.text()).toContain("checked 1,204 records and 17 files");
    expect(terminal.text()).toContain("▲ the check is incomplete: run `svc serve doctor`");
    expect(terminal.title()).not.toContain("owned");
    expect(await copied(terminal)).toContain("svc resources storage doctor");
  });

  it("says what a viewer may not see, and shows the rest", async () => {
    await using terminal = openFake({ role: "tenant-viewer" });
    await terminal.waitFor("▸ licence");
    terminal.write("6");
    await terminal.waitFor("the platform is ok");
    terminal.write("]");
    await terminal.waitFor("E204");
    expect(terminal.text()).toContain("catalog on SQLite");
  });
});
