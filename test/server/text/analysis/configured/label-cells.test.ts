import { describe, expect, test } from "vitest";
import { cellsOfLines } from "#server/text/analysis/configured/label-cells.ts";

function textsOf(
  text: string,
  ...rest: Parameters<typeof cellsOfLines> extends [string, ...infer R] ? R : never
) {
  return cellsOfLines(text, ...rest).map((cells) => cells.map((cell) => cell.text));
}

const none: ReadonlySet<string> = new Set();

describe("the cells of lines", () => {
  test("are divided by tabs, three spaces and drawn lines", () => {
    expect(textsOf("A\tB b   C\n+---+---+\n| D | E |", none)).toEqual([
      ["A", "B b", "C"],
      [],
      ["D", "E"],
    ]);
  });

  test("end before a known label that has a sign or stands between values", () => {
    const known = new Set(["due date", "order"]);
    expect(textsOf("5 May 2026 Due date: 1 June 2026 Order 17", known)).toEqual([
      ["5 May 2026", "Due date: 1 June 2026", "Order 17"],
    ]);
    expect(textsOf("Please give the order with a due date", known)).toEqual([
      ["Please give the order with a due date"],
    ]);
  });

  test("of a table's row with several lines are one line, with the place of each", () => {
    const text = "Bill to\nAda Marsh\tInvoice\n47\n\nTotal\t5";
    const second = text.indexOf("Invoice");
    const tables = [
      { header: 0, rows: [[[0, second - 1] as const, [second, second + 10] as const]] },
    ];
    const [row, ...others] = cellsOfLines(text, none, tables);
    expect(row?.map((cell) => text.slice(cell.start, cell.start + cell.text.length))).toEqual([
      "Bill to\nAda Marsh",
      "Invoice\n47",
    ]);
    expect(others.map((cells) => cells.length)).toEqual([0, 2]);
  });

  const scanned =
    "Bill to\nAda Marsh\tInvoice no. Invoice date\tINV-47\n15 March 2026\nMillfield\tDue date\t1 May";
  const place = (text: string): readonly [number, number] => {
    const start = scanned.indexOf(text);
    return [start, start + text.length];
  };
  const rows = [
    ["Bill to\nAda Marsh", "Invoice no. Invoice date", "INV-47\n15 March 2026"].map(place),
    ["Millfield", "Due date", "1 May"].map(place),
  ];
  const scan = [{ header: 0, rows }];

  test("of labels that share a cell of a scan are a line for each, with its value", () => {
    const known = new Set(["invoice no", "invoice date", "due date"]);
    expect(textsOf(scanned, known, scan)).toEqual([
      ["Bill to\nAda Marsh"],
      ["Invoice no.", "INV-47"],
      ["Invoice date", "15 March 2026"],
      ["Millfield", "Due date", "1 May"],
    ]);
    const [, , pair] = cellsOfLines(scanned, known, scan);
    expect(pair?.map(({ text, start }) => scanned.slice(start, start + text.length))).toEqual([
      "Invoice date",
      "15 March 2026",
    ]);
  });

  test("of other words, or of more labels than values, stay together", () => {
    const whole = ["Bill to\nAda Marsh", "Invoice no. Invoice date", "INV-47\n15 March 2026"];
    expect(textsOf(scanned, new Set(["invoice no"]), scan)[0]).toEqual(whole);
    const three = new Set(["invoice no", "invoice", "date"]);
    expect(textsOf(scanned, three, scan)[0]).toEqual(whole);
  });
});
