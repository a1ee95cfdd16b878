import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { marks } from "#server/text/tables/table-marks.ts";
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
