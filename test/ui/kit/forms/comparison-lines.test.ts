import { describe, expect, it } from "vitest";
import type { StyledLine } from "#ui/kit/text/styled-lines.ts";
import { comparisonLines } from "#ui/kit/forms/comparison-lines.ts";

const words = (lines: readonly StyledLine[]): string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

const versions = (base: unknown, mine: unknown, theirs: unknown) =>
  ({ name: "note", base, mine, theirs, changedBy: "both" }) as const;

const narrow = { width: 78, height: 9 };
const wide = { width: 118, height: 8 };

describe("base, mine and theirs", () => {
  it("are one below the other, and side by side if there is room", () => {
    const values = versions("a", "b", ["c", 1]);
    expect(words(comparisonLines(values, undefined, narrow))).toEqual([
      " base    a",
      " mine    b",
      " theirs  [",
      '           "c",',
      "           1",
      "         ]",
    ]);
    expect(words(comparisonLines(values, undefined, wide))[0]).toMatch(/^ BASE +MINE +THEIRS$/);
  });

  it("are all visible, however long one of them is", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    const shown = words(
      comparisonLines(versions(lines, "short", `${lines}\nmore`), "mine", narrow),
    );
    expect(shown).toHaveLength(narrow.height);
    expect(shown.filter((line) => /^ (base|mine|theirs) /.test(line))).toHaveLength(3);
    expect(shown).toContain(" mine    short");
    expect(shown.at(-1)).toMatch(/… \d+ more lines$/);
  });

  it.each([narrow, wide])("begin at the first difference if they are long (%o)", (room) => {
    const same = "word ".repeat(200_000);
    const values = versions(`${same}BEFORE`, `${same}OURS`, `${same}YOURS`);
    const shown = words(comparisonLines(values, undefined, room)).join("\n");
    expect(shown).toContain("BEFORE");
    expect(shown).toContain("OURS");
    expect(shown).toContain("YOURS");
    expect(shown).toMatch(/…(ord|word|rd|d)/);
  });

  it.each([
    [undefined, narrow],
    [undefined, wide],
    ["something else", narrow],
    ["something else", wide],
  ])("begin where mine and theirs differ if the base is %s (%o)", (base, room) => {
    const same = "word ".repeat(2_000);
    const values = versions(base, `${same}OURS`, `${same}YOURS`);
    const shown = words(comparisonLines(values, undefined, room)).join("\n");
    expect(shown).toContain("OURS");
    expect(shown).toContain("YOURS");
    expect(shown).toContain(base ?? "(absent)");
  });

  it("begin where the base differs if mine and theirs are equal", () => {
    const agreed = "A".repeat(3_000);
    const shown = words(comparisonLines(versions("B", agreed, agreed), "theirs", narrow)).join(
      "\n",
    );
    expect(shown).toMatch(/mine {4}A+\n/);
  });

  it("show absent and empty values, and never exceed their height", () => {
    const shown = words(
      comparisonLines(versions(undefined, "", null), "theirs", { width: 78, height: 3 }),
    );
    expect(shown).toEqual([" base    (absent)", " mine    (empty)", " theirs  null"]);
    const long = "x\n".repeat(50);
    expect(
      comparisonLines(versions(long, long, `${long}y`), "mine", { width: 78, height: 4 }),
    ).toHaveLength(4);
  });
});
