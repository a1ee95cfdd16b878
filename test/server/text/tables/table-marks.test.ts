import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinTexts, MarkedPages, marks } from "#server/text/tables/table-marks.ts";
import { extract } from "../extraction/formats/build-files.ts";

describe("limits", () => {
  test("marks in a file never break a page, and no mark is left", async () => {
    const letters = fc.string({
      unit: fc.constantFrom(...Object.values(marks), "a", "\t", "\n", " "),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(letters, async (text) => {
        const { pages } = await extract(`x${text}`, { filename: "a.txt" });
        for (const { text: page, tables = [] } of pages) {
          expect(page).not.toMatch(/[\ufdd0-\ufdd6]/);
          const spans = tables.flatMap(({ rows }) => rows.flat());
          expect(spans.every(([start, end]) => start <= end && end <= page.length)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test("a text after a table is not its last cell", () => {
  const table = `${marks.table}${marks.row}Fee\t12\n${marks.row}Tax\t3`;
  const [first] = [new MarkedPages().next(joinTexts([table, "Note: paid"], "\n"))];
  expect(first?.text).toBe("Fee\t12\nTax\t3\nNote: paid");
  const last = first?.tables[0]?.rows.at(-1)?.at(-1) ?? [0, 0];
  expect(first?.text.slice(...last)).toBe("3");
  expect(joinTexts(["Fee", "Note"], "\n")).toBe("Fee\nNote");
});
