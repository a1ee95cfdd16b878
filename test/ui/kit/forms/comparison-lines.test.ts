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

const three = (base: unknown, mine: unknown, theirs: unknown) =>
  ({ name: "note", base, mine, theirs, changedBy: "both" }) as const;

const narrow = { width: 78, height: 9 };
const wide = { width: 118, height: 8 };

describe("base, mine and theirs", () => {
  it("stand one below the other, and beside each other where there is room", () => {
    const values = three("a", "b", ["c", 1]);
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

  it("are all seen, however long one of them is", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    const shown = words(comparisonLines(three(lines, "short", `${lines}\nmore`), "mine", narrow));
    expect(shown).toHaveLength(narrow.height);
    expect(shown.filter((line) => /^ (base|mine|theirs) /.test(line))).toHaveLength(3);
    expect(shown).toContain(" mine    short");
    expect(shown.at(-1)).toMatch(/… \d+ more lines$/);
  });

  it("begin where they begin to differ when they are long", () => {
    const same = "word ".repeat(200_000);
    for (const room of [narrow, wide]) {
      const shown = words(
        comparisonLines(three(`${same}BEFORE`, `${same}OURS`, `${same}YOURS`), undefined, room),
      ).join("\n");
      expect(shown).toContain("BEFORE");
      expect(shown).toContain("OURS");
      expect(shown).toContain("YOURS");
      expect(shown).toMatch(/…(ord|word|rd|d)/);
    }
  });

  it("begin where mine and theirs differ when what was there before is another already", () => {
    const same = "word ".repeat(2_000);
    for (const base of [undefined, "something else"]) {
      for (const room of [narrow, wide]) {
        const values = three(base, `${same}OURS`, `${same}YOURS`);
        const shown = words(comparisonLines(values, undefined, room)).join("\n");
        expect(shown).toContain("OURS");
        expect(shown).toContain("YOURS");
        expect(shown).toContain(base ?? "(absent)");
      }
    }
    const agreed = "A".repeat(3_000);
    const shown = words(comparisonLines(three("B", agreed, agreed), "theirs", narrow)).join("\n");
    expect(shown).toMatch(/mine {4}A+\n/);
  });

  it("say what is not there and what is empty, and never take more than the room", () => {
    const shown = words(
      comparisonLines(three(undefined, "", null), "theirs", { width: 78, height: 3 }),
    );
    expect(shown).toEqual([" base    (absent)", " mine    (empty)", " theirs  null"]);
    const long = "x\n".repeat(50);
    expect(
      comparisonLines(three(long, long, `${long}y`), "mine", { width: 78, height: 4 }),
    ).toHaveLength(4);
  });
});
