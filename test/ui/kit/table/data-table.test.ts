import { expect, it, describe } from "vitest";
import { keys, type OpenedTerminal } from "../../../support/tty.ts";
import { openRecords, openRecordsFromTypes } from "../../support/open-fake.ts";

/** Colour 221, the ground of what is marked for a moment. */
const flashGround = 221;

/** The id of a record, by its place among the newest. */
function idOf(index: number): string {
  return `01936f00-0000-7000-9000-${index.toString(16).padStart(12, "0")}`;
}

/** The background of the status of the first row. */
function statusGround(terminal: OpenedTerminal): number {
  const row = terminal.screen().findIndex((line) => line.includes("PA-2026-00042"));
  const column = terminal.screen()[row]?.indexOf("decided") ?? -1;
  return column === -1 ? -1 : terminal.cell(row, column).background;
}

describe("a cell that changes", () => {
  it("is marked for a moment, and its unchanged neighbours are not", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    terminal.write("d");
    await terminal.waitFor("Choose an action for PA-2026-00042");
    terminal.write(keys.enter);
    await terminal.waitFor("decide: PA-2026-00042");
    terminal.write("y");
    await terminal.waitFor(() => statusGround(terminal) === flashGround);
    const row = terminal.screen().findIndex((line) => line.includes("PA-2026-00042"));
    const column = terminal.screen()[row]?.indexOf("1 Quay Street") ?? 0;
    expect(terminal.cell(row, column).background).not.toBe(flashGround);
    await terminal.waitFor(() => statusGround(terminal) !== flashGround);
    await terminal.waitForQuiet(300);
    const before = terminal.bytesWritten();
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-00041");
    await terminal.waitForQuiet(100);
    expect(terminal.bytesWritten() - before).toBeLessThan(600);
  });
});

describe("a row that is new since the last look", () => {
  it("has a dot until the user has left the list, and its place has the number", async () => {
    const unseen = { "records/planning-application": [1, 2].map(idOf), documents: ["d1"] };
    await using terminal = await openRecordsFromTypes({ unseen });
    await terminal.waitFor(/ •PA-2026-00041/);
    await terminal.waitFor(/plannin\S* +•2 42/);
    await terminal.waitFor(/2 Documents +•1/);
    expect(terminal.text()).toMatch(/ •PA-2026-00040/);
    expect(terminal.text()).toMatch(/ {2}PA-2026-00039/);
    terminal.write("7");
    await terminal.waitFor("▸7 ");
    terminal.write("1");
    await terminal.waitFor("▸ planning-application");
    terminal.write(keys.enter);
    await terminal.waitFor(/▸ PA-2026-/);
    expect(terminal.text()).not.toContain("•PA-");
    expect(terminal.text()).toMatch(/2 Documents +•1/);
  });
});
