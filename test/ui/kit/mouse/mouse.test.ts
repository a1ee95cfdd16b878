import { describe, expect, it } from "vitest";
import { openFake, openRecords } from "../../support/open-fake.ts";

const at = (lines: readonly string[], text: string) => {
  const row = lines.findIndex((line) => line.includes(text));
  return { row, column: Math.max(0, (lines[row] ?? "").indexOf(text)) };
};

const click = ({ row, column }: { row: number; column: number }) =>
  `\x1b[<0;${column + 1};${row + 1}M\x1b[<0;${column + 1};${row + 1}m`;

describe("the mouse", () => {
  it("selects, opens and scrolls rows, and opens tabs and places", async () => {
    await using terminal = await openRecords({ profileSettings: { mouse: true } });
    const on = (text: string) => click(at(terminal.screen(), text));
    terminal.write(on("PA-2026-00040"));
    await terminal.waitFor(/▸ PA-2026-00040/);
    terminal.write(on("PA-2026-00038"));
    await terminal.waitFor(/▸ PA-2026-00038/);
    terminal.write("\x1b[<64;40;10M");
    await terminal.waitFor(/▸ PA-2026-00041/);
    await terminal.waitFor("history");
    terminal.write(on("history"));
    await terminal.waitFor("[history]");
    terminal.write(on("2 Documents"));
    await terminal.waitFor("▸ plans.pdf");
    terminal.write(on("plans.pdf") + on("plans.pdf"));
    await terminal.waitForQuiet(150);
    terminal.write(":");
    await terminal.waitFor("Go to, or do");
    await terminal.type("licence");
    // The dialog grows with what the search finds, and its rows move.
    await terminal.waitFor(/▸ licence +records[^]*ben@northwind/);
    terminal.write(on("▸ licence") + on("▸ licence"));
    await terminal.waitFor("planning › licence");
  });

  it("sorts by the heading of a column, and reverses the order with another click", async () => {
    await using terminal = await openRecords({ profileSettings: { mouse: true } });
    const on = (text: string) => click(at(terminal.screen(), text));
    terminal.write(on("REFERENCE"));
    await terminal.waitFor("REFERENCE ↑");
    await terminal.waitFor("▸ PA-2026-00001");
    // A second click counts, however soon it follows.
    terminal.write(on("REFERENCE"));
    await terminal.waitFor("REFERENCE ↓");
    await terminal.waitFor("▸ PA-2026-00042");
  });

  it("presses the keys of the footer's hints, below an overlay too", async () => {
    await using terminal = openFake({ profileSettings: { mouse: true } });
    await terminal.waitFor("▸ licence");
    const on = (text: string) => click(at(terminal.screen(), text));
    // The role, which comes later, adds hints.
    await terminal.waitFor(/c create a type.*\? help/);
    terminal.write(on("? help"));
    await terminal.waitFor("Here and now");
    await terminal.waitFor(/^ esc close/m);
    terminal.write(on("esc close"));
    await terminal.waitFor((screen) => !screen.includes("Here and now"));
  });

  it("is off at first, is switched by its key, and is given back at the end", async () => {
    await using terminal = openFake({}, { isAlone: true });
    await terminal.waitFor("▸ licence");
    expect(terminal.modes().mouse).toBe(false);
    terminal.write(",");
    await terminal.waitFor("the mouse selects");
    expect(terminal.modes().mouse).toBe(true);
    terminal.write("q");
    await terminal.exitCode;
    expect(terminal.modes().mouse).toBe(false);
  });

  it("is given back after a crash", async () => {
    const wish = { profileSettings: { mouse: true }, crash: "timer" };
    await using terminal = openFake(wish, { isAlone: true });
    await terminal.exitCode;
    expect(terminal.raw()).toContain("\x1b[?1000h");
    expect(terminal.modes().mouse).toBe(false);
  });
});
