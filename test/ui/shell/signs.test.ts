import { describe, expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { openBarsBy, openFake, openRecords } from "../support/open-fake.ts";

const footer = (screen: string) => screen.split("\n").at(-1) ?? "";

describe("a screen without colours", () => {
  it("marks the focused pane and its selected line", async () => {
    await using terminal = await openRecords({}, { env: { NO_COLOR: "1" } });
    await terminal.waitFor("┏ planning-application ━ 42 ━");
    terminal.write(keys.tab);
    await terminal.waitFor("┏ PA-2026-00042 ━");
    await terminal.waitFor("┃›reference");
    expect(terminal.text()).toContain("┌ planning-application ─ 42 ─");
    terminal.write(keys.tab);
    await terminal.waitFor("┏ Places ━");
    await terminal.waitFor("┃›0 Home");
    terminal.write("w");
    await terminal.waitFor(/┃› {4}planning/);
  });
});

describe("what does not fit", () => {
  it("is shown in text that scrolls", async () => {
    await using terminal = await openRecords({}, { cols: 120, rows: 36 });
    terminal.write("]");
    await terminal.waitFor(/"version": 1,.*│$/m);
    await terminal.waitFor(/↓│\n.*┘$/m);
    expect(terminal.text()).not.toContain("↑│");
    terminal.write(keys.tab + "G");
    await terminal.waitFor("↑│");
    await terminal.waitFor((screen) => !screen.includes("↓│"));
  });

  it("is shown below choices", async () => {
    await using terminal = await openRecords({}, { cols: 80, rows: 24 });
    terminal.write(":");
    await terminal.waitFor(/↓ \d+ more/);
    await terminal.type("members");
    await terminal.waitFor((screen) => !/↓ \d+ more/.test(screen));
  });

  it("leaves the selected row in view below a line that warns", async () => {
    await using terminal = await openBarsBy("address", { truncated: true }, { cols: 80, rows: 24 });
    await terminal.waitFor("These are the first 1,000 groups in the order of address.");
    terminal.write("G");
    await terminal.waitFor(/▸ \d+ Quay Street.*│\n└/);
  });

  it("loses no heading and no name: other columns go first", async () => {
    await using terminal = await openRecords({}, { cols: 64, rows: 24 });
    await terminal.waitFor("▸ PA-2026-00042");
    const heading = terminal.screen().find((line) => line.includes("REFERENCE")) ?? "";
    expect(heading).not.toContain("…");
    expect(heading).toMatch(/\+\d/);
  });
});

describe("columns are aligned", () => {
  it.each([
    ["Devanagari, with a conjunct", "हिन्दी परीक्षण की क्षि सड़क"],
    ["Tamil", "க்ஷி தமிழ் நாடு"],
    ["Khmer and Thai", "ខ្មែរ ที่นี่"],
    ["Arabic and Hebrew", "العربية שלום"],
    ["Hangul and kanji", "한국어 日本語"],
    ["emoji", "👩‍🚒 ⚠️ 👍🏽 🇫🇷 1️⃣"],
  ])("with any script: %s", async (_, address) => {
    await using terminal = await openRecords({ address });
    await terminal.waitFor("3 Quay Street");
    await terminal.waitForQuiet(100);
    const rowOf = (text: string) => terminal.screen().findIndex((line) => line.includes(text));
    const [row, next] = [rowOf("PA-2026-00041 "), rowOf("PA-2026-00040")];
    const column = Array.from({ length: 120 }, (_cell, at) => at).findLast(
      (at) => terminal.cell(next, at).text === "⊘",
    );
    expect(terminal.cell(row, column ?? -1).text).toBe("✓");
    expect(terminal.cell(row, 119).text).toBe("│");
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-00041");
    const field = rowOf(" address ");
    expect(terminal.cell(field, 119).text).toBe("│");
  });
});

describe("the focus", () => {
  it("moves as many panes as Tab was pressed, also in a burst", async () => {
    await using terminal = await openRecords();
    // The list, its details, the places, and the list again.
    terminal.write(keys.tab.repeat(3));
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-00041");
    terminal.write(keys.backTab.repeat(3));
    terminal.write("j");
    await terminal.waitFor("▸ PA-2026-00040");
  });

  it("returns to its place after going back, and is on the list of a newly opened place", async () => {
    await using terminal = openFake({}, { env: { NO_COLOR: "1" } });
    await terminal.waitFor("▸ licence");
    terminal.write("G\r");
    await terminal.waitFor("┏ works-order ━ 1 ━");
    terminal.write(keys.enter + "jj");
    await terminal.waitFor("┃›application");
    terminal.write(keys.enter);
    await terminal.waitFor("┏ PA-2026-00042 ━");
    terminal.write(keys.escape);
    await terminal.waitFor("┏ WO-1 ━");
    terminal.write(keys.escape);
    await terminal.waitFor("┏ works-order ━ 1 ━");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ works-order");
    terminal.write(keys.enter);
    await terminal.waitFor("┏ works-order ━ 1 ━");
  });
});

describe("the footer", () => {
  it("offers no key that would be typed", async () => {
    await using terminal = await openRecords();
    await terminal.waitFor((screen) => footer(screen).includes("f search"));
    terminal.write("4");
    await terminal.waitFor("a question");
    terminal.write("i");
    await terminal.waitFor((screen) => /↵ send.*\^p go to/.test(footer(screen)));
    expect(footer(terminal.text())).not.toMatch(/f search|q quit|\? help/);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => /i write a message.*\? help/.test(footer(screen)));
  });

  it("shows how to go back from the details", async () => {
    await using terminal = await openRecords();
    terminal.write(keys.tab);
    await terminal.waitFor((screen) => footer(screen).includes("esc back"));
  });
});
