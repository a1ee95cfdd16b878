import { expect, test } from "vitest";
import { openTable } from "#commands/resources/imports/table-rows.ts";

async function read(cells: readonly unknown[][], more: object = {}, merges: object[] = []) {
  const source = {
    merges,
    async *rows() {
      yield cells.map((each, index) => ({ number: index + 1, cells: each, ...more }));
    },
  };
  const options = { given: undefined, matches: (name: string) => name === "name" };
  const table = await openTable(source as never, {} as never, options);
  const rows: number[] = [];
  for await (const chunk of table.rows) rows.push(...chunk.map(({ number }) => number));
  return { rows, skipped: table.skipped };
}

test("blank rows, totals and repeated headers are no records", async () => {
  const table = [
    ["name", "sum"],
    ["a", 1],
    [],
    ["name", "sum"],
    ["Grand total", 1],
    ["Total", "north wing"],
    ["b", 2],
  ];
  expect(await read(table)).toEqual({
    rows: [2, 6, 7],
    skipped: [
      { row: 4, reason: "repeats the header" },
      { row: 5, reason: "is a total" },
    ],
  });
});

test("a row into which merged cells of the header reach belongs to it", async () => {
  const tall = { firstRow: 1, lastRow: 2, firstColumn: 0, lastColumn: 0 };
  const table = [
    ["name", "balance"],
    ["name", "opening"],
    ["a", 1],
  ];
  const skipped = [{ row: 2, reason: "belongs to the header" }];
  expect(await read(table, {}, [tall])).toEqual({ rows: [3], skipped });
  // A label along all rows is no header.
  const label = { ...tall, lastRow: 40 };
  expect(await read(table, {}, [label])).toEqual({ rows: [2, 3], skipped: [] });
});

test("a table without rows is refused", async () => {
  await expect(read([])).rejects.toThrow("the file has no rows");
});
