import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLines, withoutMark } from "#lib/text/csv.ts";
import { CsvRows, type CsvRow } from "#commands/resources/batch/csv-rows.ts";

function split(chunks: readonly string[], longest = 1000): CsvRow[] {
  const rows = new CsvRows(longest);
  return [...chunks.flatMap((chunk) => rows.push(chunk)), ...rows.end()];
}

function cells(rows: readonly CsvRow[]): CsvRow["cells"][] {
  return rows.map((row) => row.cells);
}

describe("rows of CSV", () => {
  const cases: [string, string, (string | undefined)[][]][] = [
    [
      "lines",
      "a,b\n1,2\n",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
    ["any line ends, and none at the end", "a\r\nb\rc\nd", [["a"], ["b"], ["c"], ["d"]]],
    ["quoted cells", '"a,b","c\r\nd","e""f"\r\n', [["a,b", "c\r\nd", 'e"f']]],
    [
      "nothing between separators, which is no empty text",
      ',\n"",\n',
      [
        [undefined, undefined],
        ["", undefined],
      ],
    ],
    ["empty lines", "\na\n\r\n\nb\n\n", [["a"], ["b"]]],
    ["a quote within a plain cell", 'a"b,c', [['a"b', "c"]]],
    ["nothing", "", []],
  ];
  test.each(cases)("%s", (_what, text, rows) => {
    expect(cells(split([text]))).toEqual(rows);
    expect(cells(split(text.split("")))).toEqual(rows);
  });

  test("are numbered as a spreadsheet counts them", () => {
    expect(split(["a\n\nb\n"]).map(({ number }) => number)).toEqual([1, 3]);
  });

  test("that are invalid are named by their number", () => {
    expect(() => split(["a\n", '"b" c\n'])).toThrow("something follows a closing quote in row 2");
    expect(() => split(['a\n"b'])).toThrow("a quoted cell in row 2 does not end");
    expect(() => split(["a", "b".repeat(1000)])).toThrow("row 1 is longer than");
    expect(() => split([",".repeat(1002)], 1000)).not.toThrow();
    expect(() => split([`${",".repeat(1002)}a`], 1000)).toThrow("row 1 is longer than");
  });

  test("come back as they were written, wherever the text is cut", async () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.stringMatching(/^['=+\-@\t\r\n", a1.]{0,8}$/),
      fc.constant(undefined),
    );
    // A row of one cell with nothing in it is an empty line.
    const row = fc.array(cell, { minLength: 2, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.nat(20), async (rows, size) => {
        const text = await csvLines(rows);
        const chunks = text.match(new RegExp(`[^]{1,${size + 1}}`, "g")) ?? [];
        const read = cells(split(chunks, 1e6)).map((one) =>
          one.map((cell) => (cell === undefined ? cell : withoutMark(cell))),
        );
        expect(read).toEqual(rows);
      }),
    );
  });
});
