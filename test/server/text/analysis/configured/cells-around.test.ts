import { describe, expect, test } from "vitest";
import {
  areBlocks,
  cellsBelow,
  isHeadingRow,
  withCurrency,
} from "#server/text/analysis/configured/cells-around.ts";
import { cellsOfLines } from "#server/text/analysis/configured/label-cells.ts";

const linesOf = (text: string) => cellsOfLines(text, new Set());

describe("the cells below a cell", () => {
  const below = (text: string, column = 0): string[] =>
    cellsBelow(linesOf(text), { row: 0, column }).map((cell) => cell.text);

  test("are those of lines with as many cells", () => {
    expect(below("A\tB\n1\t2\n3\t4\n5", 1)).toEqual(["2", "4"]);
  });

  test("are the first of the next line for a cell that is alone, but no heading", () => {
    expect(below("A\n\n1\t2")).toEqual(["1"]);
    expect(below("A\n\nItem\tUnits\tPrice\nRope\t1\t2")).toEqual([]);
  });

  test("are none in lines with other numbers of cells", () => {
    expect(below("A\tB\n1")).toEqual([]);
  });
});

test("a row of headings has no digit, and the next one has", () => {
  expect(isHeadingRow(linesOf("No.\tDate\nA\t5 May"), 0)).toBe(true);
  expect(isHeadingRow(linesOf("No.\t5 May\nA\t5 May"), 0)).toBe(false);
});

test("blocks have words, then digits, below both of two labels", () => {
  expect(areBlocks(linesOf("To\tFrom\nAda\tBob\n8 Road\t2 Lane"), { row: 0, column: 0 })).toBe(
    true,
  );
  expect(areBlocks(linesOf("To\tAda\nDate\t5 May\nTotal\t7"), { row: 0, column: 0 })).toBe(false);
});

test("a currency and its amount in two cells are one value, in the place of both", () => {
  const [[currency, amount, last] = []] = linesOf("CHF\t1'234.50\t7");
  if (currency === undefined || amount === undefined) throw new Error("expected two cells");
  expect(withCurrency(currency, amount)).toMatchObject({ text: "CHF 1'234.50", start: 0 });
  expect(withCurrency(amount, last)).toBe(amount);
});
