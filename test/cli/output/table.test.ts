import { describe, expect, test } from "vitest";
import { shown } from "#cli/shown.ts";
import { renderTable, type Column, type TableOptions } from "#cli/output/table.ts";

interface Row {
  id: string;
  name: string;
  amount: number;
}
const columns: Column<Row>[] = [
  { heading: "id", value: (row) => row.id, whole: true },
  { heading: "name", value: (row) => row.name },
  { heading: "amount", value: (row) => row.amount, align: "right" },
];
const rows: Row[] = [
  { id: "a1", name: "Quay Street", amount: 5 },
  { id: "b22", name: "漢字 house with a long, long name", amount: 1200 },
];
const optional: Column<Row>[] = columns.map((column) =>
  column.heading === "id" ? column : { ...column, optional: true },
);
const plain: TableOptions = {
  simple: false,
  columns: undefined,
  heading: (text) => shown`${text}`,
};

function linesOf<Each>(
  shownRows: readonly Each[],
  shownColumns: readonly Column<Each>[],
  options: TableOptions,
): string[] {
  return renderTable(shownRows, shownColumns, options).map(String);
}

describe("text tables", () => {
  test("columns are aligned by their width in cells", () => {
    expect(linesOf(rows, columns, plain)).toEqual([
      "ID   NAME                               AMOUNT",
      "a1   Quay Street                             5",
      "b22  漢字 house with a long, long name    1200",
    ]);
  });

  test("text is cut to the terminal's width", () => {
    const lines = linesOf(rows, columns, { ...plain, columns: 30 });
    expect(lines.every((line) => Bun.stringWidth(line) <= 30)).toBe(true);
    expect(lines[2]?.startsWith("b22  漢字")).toBe(true);
    expect(lines[2]).toContain("…");
  });

  test("--simple gives whole, tab-separated lines", () => {
    expect(linesOf(rows.slice(0, 1), columns, { ...plain, simple: true, columns: 10 })).toEqual([
      "id\tname\tamount",
      "a1\tQuay Street\t5",
    ]);
  });

  test("control sequences in a cell do nothing", () => {
    const hostile = [{ id: "\u001b[2Jx", name: "a\u001b]52;c;aGk=\u0007b\nc", amount: 1 }];
    expect(linesOf(hostile, columns, { ...plain, simple: true })[1]).toBe("x\tab c\t1");
  });
});

test("optional columns are left out when there is no room, the last one first", () => {
  const headings = (width: number): string[] =>
    (linesOf(rows, optional, { ...plain, columns: width })[0] ?? "").split(/ +/);
  expect(headings(80)).toEqual(["ID", "NAME", "AMOUNT"]);
  expect(headings(25)).toEqual(["ID", "NAME", "AMOUNT"]);
  expect(headings(24)).toEqual(["ID", "NAME"]);
  expect(headings(10)).toEqual(["ID"]);
});

test("characters that a terminal draws wider than counted are reduced", () => {
  const family: Row[] = [{ id: "a", name: "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} x", amount: 1 }];
  const [, line = ""] = linesOf(family, columns, { ...plain, columns: 40 });
  expect(line).toBe("a   \u{1f468} x       1");
  const [, piped = ""] = linesOf(family, columns, plain);
  expect(piped).toContain("\u200d");
});
