import { expect, test } from "vitest";
import Papa from "papaparse";
import { csvLines, withoutMark } from "#lib/text/csv.ts";

test("rows become lines that a spreadsheet reads as text", async () => {
  const rows = [
    ["name", "sum"],
    ['a "b", c', -1.5],
    ["", null],
    ["=1+1", "+49 30 1"],
  ];
  expect(await csvLines(rows)).toBe(`name,sum\r\n"a ""b"", c",-1.5\r\n"",\r\n"'=1+1",+49 30 1\r\n`);
  expect(await csvLines([["a", "b"]], ";")).toBe("a;b\r\n");
  expect(await csvLines([])).toBe("");
});

test.each(["=1", "@a", "-a", "'=1", "''@x", "-1 000.5", "'plain", "'", "plain"])(
  "the original of %j comes back",
  async (cell) => {
    const [[read = ""] = []] = Papa.parse<string[]>(await csvLines([[cell, "x"]])).data;
    expect(withoutMark(read)).toBe(cell);
  },
);
