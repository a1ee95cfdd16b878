import { describe, expect, test } from "vitest";
import { layoutText } from "#server/text/extraction/formats/pdf/pdf-layout.ts";
import { MarkedPages } from "#server/text/tables/table-marks.ts";
import type { TextRun } from "#server/text/extraction/formats/pdf/pdf-runs.ts";

const size = 10;
const widthOf = (text: string): number => text.length * 5;

function run(text: string, x: number, more: Partial<TextRun> = {}): TextRun {
  return { text, x, y: 700, width: widthOf(text), size, endsLine: false, ...more };
}

const textOf = (...runs: readonly TextRun[]): string => layoutText(runs).text;

test("runs on one line are read from the left, whatever the order of their drawing", () => {
  const words = ["The ", "wall ", "is ", "high"];
  let x = 50;
  const runs = words.map((text) => {
    const placed = run(text, x);
    x += widthOf(text);
    return placed;
  });
  const last = (list: readonly TextRun[]) =>
    list.map((each, index) => ({ ...each, endsLine: index === list.length - 1 }));
  expect(textOf(...last(runs))).toBe("The wall is high");
  expect(textOf(...last(runs.toReversed()))).toBe("The wall is high");
});

test("a label that is drawn after its value comes first, with a space or a tab by the gap", () => {
  expect(textOf(run("64", 80), run("Age:", 55, { endsLine: true }))).toBe("Age: 64");
  expect(textOf(run("64", 200), run("Age:", 55, { endsLine: true }))).toBe("Age:\t64");
});

test("runs from right to left keep their order", () => {
  const more = { isRightToLeft: true };
  const runs = [
    run("שלום", 100, more),
    run(" ", 95, more),
    run("עולם", 70, { ...more, endsLine: true }),
  ];
  expect(textOf(...runs)).toBe("שלום עולם");
});

test("a letter that is drawn twice for its weight stays where it is", () => {
  expect(textOf(run("Fee", 50), run(": 12", 65, { endsLine: true }))).toBe("Fee: 12");
});

test.each([
  ["Japanese", ["固有表現抽出：文脈、あるいは字句的な知識をもちい", "て、文章中に現れる。"], ""],
  ["Chinese after a comma", ["本公司董事会保证年度报告内容真实、准确、", "完整，并承担责任。"], ""],
  ["Korean", ["기술변화에 따른 미래 보안기술을 활용해 오탐율을 줄이고 빠른", "분석을 한다"], " "],
  [
    "a Latin name",
    ["徳島という地名は一九九五年の新聞である日刊の", "Times に一回しか現れない。"],
    " ",
  ],
])("lines of %s that the page broke are joined as the script is written", (_name, lines, space) => {
  const [first = "", second = ""] = lines;
  const wide = { width: 400, endsLine: true };
  const runs = [run(first, 50, wide), run(second, 50, { ...wide, width: 200, y: 688 })];
  expect(textOf(...runs)).toBe(`${first}${space}${second}`);
});

test("a label that reaches into the column of its value leaves the value in the table", () => {
  const rows: readonly (readonly [text: string, x: number][])[] = [
    [
      ["Description", 50],
      ["Quantity", 140],
      ["Price", 230],
      ["Amount EUR", 370],
    ],
    [
      ["Rope", 50],
      ["3", 140],
      ["12.00", 230],
      ["36.00", 370],
    ],
    [
      ["Anchor", 50],
      ["1", 140],
      ["48.00", 230],
      ["48.00", 370],
    ],
    [
      ["Delivery", 50],
      ["1", 140],
      ["9.50", 230],
      ["9.50", 370],
    ],
    [
      ["Subtotal", 320],
      ["93.50", 395],
    ],
    [
      ["Amount due", 325],
      ["1274.50 EUR", 395],
    ],
  ];
  const runs = rows.flatMap((cells, row) =>
    cells.map(([text, x], at) =>
      run(text, x, { y: 700 - row * 20, endsLine: at === cells.length - 1 }),
    ),
  );
  const { text, tables } = new MarkedPages().next(textOf(...runs));
  const last = tables[0]?.rows.at(-1)?.map(([start, end]) => text.slice(start, end));
  expect(last).toEqual(["", "", "", "Amount due", "1274.50 EUR"]);
});

test("lines whose dots lead to a value stay lines, however wide they are", () => {
  const long = (text: string, y: number): TextRun => run(text, 50, { y, endsLine: true });
  const [first, second] = [
    `Invoice number ${".".repeat(80)} 4711`,
    `Due date ${".".repeat(85)} 3 May 2026`,
  ];
  expect(textOf(long(first, 700), long(second, 688))).toBe(`${first}\n${second}`);
});

test("a name after its label ends before the street, but a sentence goes on", () => {
  const lines = (next: string): string =>
    textOf(
      run("Recipient of the bill: Northwind Traders", 50, { y: 700, endsLine: true }),
      run(next, 50, { y: 688, endsLine: true }),
    );
  expect(lines("217 Elm Street")).toBe("Recipient of the bill: Northwind Traders\n217 Elm Street");
  expect(lines("Marktplatz 38")).toBe("Recipient of the bill: Northwind Traders\nMarktplatz 38");
  expect(lines("and its branches")).toBe(
    "Recipient of the bill: Northwind Traders and its branches",
  );
});

describe("rows next to lines that are no rows of their table", () => {
  const row = (texts: readonly string[], y: number): TextRun[] =>
    texts.map((text, at) => run(text, 50 + at * 60, { y, endsLine: at === texts.length - 1 }));
  const pageWith = (texts: readonly string[]) => {
    const { text } = layoutText([
      run("Northwind Traders Ltd", 50, { y: 750 }),
      run("Harbour Supplies Ltd", 185, { y: 750, endsLine: true }),
      run("18 Quay Street, Hull", 52, { y: 740 }),
      run("7 Long Mill Lane, York", 190, { y: 740, endsLine: true }),
      ...row(["Account", "Invoice", "Order", "Terms"], 730),
      ...row(texts, 718),
      run("Rope of good hemp and other goods, 20 m", 60, { y: 700 }),
      run("5.00", 290, { y: 700, endsLine: true }),
    ]);
    return new MarkedPages().next(text);
  };

  test("are a table where headings are above values", () => {
    const page = pageWith(["A17", "4711", "P12", "Net 30"]);
    const cells = page.tables[0]?.rows.map((cellsOfRow) =>
      cellsOfRow.map(([start, end]) => page.text.slice(start, end)),
    );
    expect(cells).toEqual([
      ["Account", "Invoice", "Order", "Terms"],
      ["A17", "4711", "P12", "Net 30"],
    ]);
  });

  test("are none where all have words", () => {
    expect(pageWith(["open", "paid", "lost", "short"]).tables).toEqual([]);
  });
});
