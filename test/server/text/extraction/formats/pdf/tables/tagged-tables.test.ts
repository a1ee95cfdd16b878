import { expect, test } from "vitest";
import { marks } from "#server/text/tables/table-marks.ts";
import { taggedTables } from "#server/text/extraction/formats/pdf/tables/tagged-tables.ts";

const part = (text: string, row?: number, column = 0) => ({
  text,
  words: [{ text, start: 0, end: 10, y: 0, size: 10, isDone: true }],
  start: 0,
  end: 10,
  y: 0,
  size: 10,
  cell: row === undefined ? undefined : { table: 1, row, column, isHeading: row === 0 },
});

test("lines of a cell are joined, and a cell without text stays empty", () => {
  const [table, ...more] = taggedTables([
    part("Before"),
    part("Item", 0, 0),
    part("Amount", 0, 2),
    part("Survey of ", 1, 0),
    part("12", 1, 2),
    part("the roof", 1, 0),
  ]);
  const { table: first, row, heading } = marks;
  expect(table?.text).toBe(
    `${first}${row}${heading}Item\t\t${heading}Amount\n${row}Survey of the roof\t\t12`,
  );
  expect(table?.words.map(({ text }) => text.trim())).toEqual([
    "Item",
    "Amount",
    "Survey of",
    "the roof",
    "12",
  ]);
  expect(more).toEqual([]);
});
