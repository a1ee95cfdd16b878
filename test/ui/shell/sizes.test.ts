import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openBarsBy, openRecords } from "../support/open-fake.ts";

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
  { cols: 240, rows: 80 },
] as const;

/** The screen is full, no row is wider than it, and nothing of a hostile record got through. */
async function expectWhole(terminal: OpenedTerminal, size: (typeof sizes)[number]): Promise<void> {
  await terminal.waitForQuiet(150);
  const lines = terminal.screen();
  expect(lines).toHaveLength(size.rows);
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(size.cols);
  expect(lines.at(-2)).toMatch(/[┘│]$/);
  expect(lines.at(-1)?.trim()).not.toBe("");
  expect(terminal.raw()).not.toContain("\x1b]0;");
  expect(terminal.raw()).not.toMatch(/[\x07\x80-\x9f\u202a-\u202e]/);
}

describe.each(sizes)("at $cols x $rows", (size) => {
  it("draws records as bars, grouped by a hostile text", async () => {
    await using terminal = await openBarsBy("address", { hostile: true }, size);
    await terminal.waitFor("planning-application by address ─ 42");
    await terminal.waitFor("redgnp.exe");
    await expectWhole(terminal, size);
    terminal.write("m");
    await terminal.waitFor("Figure of each group");
    await expectWhole(terminal, size);
  });

  it("draws search, columns, an export and a deletion", async () => {
    await using terminal = await openRecords({ hostile: true }, size);
    terminal.write("f");
    await terminal.waitFor("Search planning-application");
    await terminal.type("gnp");
    await terminal.waitFor("1 found");
    await expectWhole(terminal, size);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("1 found"));
    terminal.write("C");
    await terminal.waitFor("▸[x] reference");
    await expectWhole(terminal, size);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("[x] reference"));
    terminal.write("A");
    await terminal.waitFor("42 marked");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("and 36 records more");
    await expectWhole(terminal, size);
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("and 36 records more"));
    terminal.write("x");
    await terminal.waitFor("▸ NDJSON");
    await expectWhole(terminal, size);
  });
});
