import { describe, expect, it } from "vitest";
import { cellsOf, tableEnd, tableLines } from "#ui/kit/text/markdown-table.ts";

const lines = [
  "| condition | who | done |",
  "|:---|:-:|---:|",
  "| The roof is **slate** and the walls are brick | Ada | 1 |",
  "| `a | b` or a \\| b | Ben | 12 |",
];

describe("a Markdown table", () => {
  it("has cells with pipes that are escaped or in code", () => {
    expect(cellsOf(lines[3] ?? "")).toEqual(["`a | b` or a | b", "Ben", "12"]);
    expect(cellsOf("a | b")).toEqual(["a", "b"]);
  });

  it("ends before a blank line or a fence, and needs its delimiters", () => {
    expect(tableEnd([...lines, "", "after"], 0)).toBe(4);
    expect(tableEnd([...lines, "```"], 0)).toBe(4);
    expect(tableEnd(["a | b", "no rule"], 0)).toBe(0);
    expect(tableEnd(["a | b", "|---|"], 0)).toBe(0);
  });

  it("wraps its cells where it is wider than its place", () => {
    for (const width of [20, 30, 40, 80]) {
      const drawn = tableLines(lines, width, false);
      expect(drawn.every((line) => Bun.stringWidth(line) <= width)).toBe(true);
    }
    expect(tableLines(lines, 34, false)).toEqual([
      "condition             │ who │ done",
      "──────────────────────┼─────┼─────",
      "The roof is slate and │ Ada │    1",
      "the walls are brick   │     │",
      "a | b or a | b        │ Ben │   12",
    ]);
  });

  it("is a list of names and values where its columns do not fit at all", () => {
    expect(tableLines(["|a|b|c|", "|-|-|-|", "|one two|three|four five|"], 12, false)).toEqual([
      "a: one two",
      "b: three",
      "c: four five",
    ]);
  });

  it("has each colour within its line", () => {
    const drawn = tableLines(lines, 30, true);
    expect(drawn.join("")).toContain("\x1b[");
    const open = drawn.filter((line) => /\x1b\[1m(?!.*\x1b\[(?:0|22)m)/.test(line));
    expect(open).toEqual([]);
  });
});
