import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extractText } from "#server/text/extraction/extract-text.ts";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";
import { findTableCell } from "#server/text/analysis/configured/apply-rules.ts";
import { tableLimits } from "#server/text/tables/page-table.ts";
import {
  extract,
  makeDocx,
  makePdf,
  makeXlsx,
  makeZip,
  paragraph,
} from "../extraction/formats/build-files.ts";

interface Seen {
  readonly page: number;
  readonly header: number;
  readonly rows: string[];
}

/** The tables, with the cells of a row between bars; a span must be text of its page. */
function seen({ pages }: ExtractedDocument): Seen[] {
  return pages.flatMap(({ number, text, tables = [] }) =>
    tables.map(({ header, rows }) => ({
      page: number,
      header,
      rows: rows.map((row) => row.map(([start, end]) => text.slice(start, end)).join(" | ")),
    })),
  );
}

const tablesOf = async (content: string | Uint8Array, filename: string): Promise<Seen[]> =>
  seen(await extract(content, { filename }));

const cell = (text: string, properties = ""): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;

const row = (cells: readonly string[], properties = ""): string =>
  `<w:tr><w:trPr>${properties}</w:trPr>${cells.join("")}</w:tr>`;

describe("DOCX", () => {
  test("a table with a marked heading, merged cells, and text around it", async () => {
    const body =
      paragraph("Before.") +
      "<w:tbl>" +
      row([cell("Berth"), cell("Fee", '<w:gridSpan w:val="2"/>')], "<w:tblHeader/>") +
      row([cell(""), cell("Day"), cell("Month")], '<w:tblHeader w:val="1"/>') +
      row([cell("North", '<w:vMerge w:val="restart"/>'), cell("£12"), cell("£200")]) +
      row([cell("", "<w:vMerge/>"), cell("£14"), cell("£220")]) +
      "</w:tbl>" +
      paragraph("After\tthe table.");
    const document = await extract(makeDocx(body), { filename: "a.docx" });
    expect(seen(document)).toEqual([
      {
        page: 1,
        header: 2,
        rows: ["Berth | Fee | Fee", " | Day | Month", "North | £12 | £200", "North | £14 | £220"],
      },
    ]);
    expect(document.pages[0]?.text).toBe(
      "Before.\n\nBerth\tFee\n\tDay\tMonth\nNorth\t£12\t£200\n\t£14\t£220\n\nAfter\tthe table.",
    );
  });

  test("two tables one after the other, and a table within a cell", async () => {
    const small = `<w:tbl>${row([cell("in"), cell("side")])}</w:tbl>`;
    const nested = `<w:tc>${small}${paragraph("")}</w:tc>`;
    const body =
      `<w:tbl>${row([cell("Name"), cell("Age")])}${row([cell("Ada"), cell("36")])}</w:tbl>` +
      `<w:tbl>${row([cell("x"), nested])}${row([cell("y"), cell("z")])}</w:tbl>`;
    expect(await tablesOf(makeDocx(body), "a.docx")).toEqual([
      { page: 1, header: 1, rows: ["Name | Age", "Ada | 36"] },
      { page: 1, header: 0, rows: ["x | in side", "y | z"] },
    ]);
  });
});

test("XLSX: blocks of rows are tables, and a title above one is not a row", async () => {
  const text = (at: string, value: string): string =>
    `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const line = (number: number, ...cells: string[]): string =>
    `<row r="${number}">${cells.join("")}</row>`;
  const sheet =
    line(1, text("A1", "Fees of the year")) +
    line(2, text("A2", "Kind"), text("B2", "Count"), text("C2", "Fee")) +
    line(3, text("A3", "Stall"), '<c r="C3"><v>12.5</v></c>') +
    line(5, text("A5", "Contact"), text("B5", "Ada")) +
    line(6, text("A6", "Office"), text("B6", "Quay"));
  expect(await tablesOf(makeXlsx({ Fees: sheet }), "a.xlsx")).toEqual([
    { page: 1, header: 1, rows: ["Kind | Count | Fee", "Stall |  | 12.5"] },
    { page: 1, header: 0, rows: ["Contact | Ada", "Office | Quay"] },
  ]);
});

test("PPTX: the table of a slide ends before its notes", async () => {
  const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const related = (list: readonly (readonly [string, string, string])[]): string =>
    `<Relationships>${list
      .map(
        ([id, type, to]) =>
          `<Relationship Id="${id}" Type="${relationship}/${type}" Target="${to}"/>`,
      )
      .join("")}</Relationships>`;
  const p = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const tc = (text: string): string => `<a:tc>${p(text)}</a:tc>`;
  const slide = `<p:sld><a:tbl><a:tr>${tc("Band")}${tc("Fee")}</a:tr><a:tr>${tc("A")}${tc("£70")}</a:tr></a:tbl></p:sld>`;
  const file = makeZip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": related([["r1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml": '<p:presentation><p:sldId id="256" r:id="r2"/></p:presentation>',
    "ppt/_rels/presentation.xml.rels": related([["r2", "slide", "slides/slide1.xml"]]),
    "ppt/slides/slide1.xml": slide,
    "ppt/slides/_rels/slide1.xml.rels": related([["n", "notesSlide", "../notes1.xml"]]),
    "ppt/notes1.xml": `<p:notes>${p("Say why.")}</p:notes>`,
  });
  expect(await tablesOf(file, "a.pptx")).toEqual([
    { page: 1, header: 1, rows: ["Band | Fee", "A | £70"] },
  ]);
});

describe("HTML", () => {
  test("headings, merged cells, paragraphs in cells, and text after the table", async () => {
    const page =
      "<!doctype html><p>Before<table><caption>Fees</caption>" +
      "<thead><tr><td rowspan=2>Berth<td colspan=2>Fee<tr><td>Day<td>Month</thead>" +
      "<tr><td>North<td><p>£12</p><p>winter £9</p><td>£200<tr><td>South<td><td>£250</table>After";
    expect(await tablesOf(page, "a.html")).toEqual([
      {
        page: 1,
        header: 2,
        rows: [
          "Berth | Fee | Fee",
          "Berth | Day | Month",
          "North | £12\n\nwinter £9 | £200",
          "South |  | £250",
        ],
      },
    ]);
  });

  test("the layout of a page is no table; a table within it is one", async () => {
    const inner = "<table><tr><th>Tide<th>Height<tr><td>High<td>4.2 m</table>";
    const page = `<html><table><tr><td><td>${inner}<tr><td><p>${"Words. ".repeat(200)}<td>x</table>`;
    expect(await tablesOf(page, "a.html")).toEqual([
      { page: 1, header: 1, rows: ["Tide | Height", "High | 4.2 m"] },
    ]);
  });

  test("Markdown and CSV have the same tables", async () => {
    const table = { page: 1, header: 1, rows: ["Tide | Height", "High | 4.2"] };
    const markdown = "# Tides\n\n| Tide | Height |\n|---|---|\n| High | 4.2 |\n\nEnd.";
    expect(await tablesOf(markdown, "a.md")).toEqual([table]);
    expect(await tablesOf('Tide,Height\nHigh,"4.2"\n', "a.csv")).toEqual([table]);
  });
});

describe("PDF", () => {
  /** Texts at places, in the order of the list. */
  const drawn = (list: readonly (readonly [x: number, y: number, text: string])[]): string =>
    `BT /F1 11 Tf ${list.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`).join("\n")} ET`;
  const table: [number, number, string][] = [
    [72, 700, "Kind"],
    [200, 700, "Day"],
    [300, 700, "Month"],
    [72, 680, "Small boat"],
    [200, 680, "12.50"],
    [300, 680, "210.00"],
    [72, 660, "Large boat with"],
    [72, 648, "a mast"],
    [200, 660, "26.40"],
    [300, 660, "410.00"],
    [72, 628, "Raft"],
    [300, 628, "90.00"],
  ];
  const rows = [
    "Kind | Day | Month",
    "Small boat | 12.50 | 210.00",
    "Large boat with a mast | 26.40 | 410.00",
    "Raft |  | 90.00",
  ];

  test.each([
    ["by rows", table],
    ["by columns", table.toSorted((a, b) => a[0] - b[0])],
  ])("a table that is drawn %s", async (_name, list) => {
    const words: [number, number, string][] = [
      [72, 740, "Fees of the harbour for boats that stay for a day or for a whole month"],
      ...list,
      [72, 590, "All fees include water, and the use of the crane on the day of the arrival."],
    ];
    const document = await extract(makePdf([drawn(words)]), { filename: "a.pdf" });
    expect(seen(document)).toEqual([{ page: 1, header: 1, rows }]);
    expect(document.pages[0]?.text.split("\n\n")).toHaveLength(3);
  });

  test("two columns of running text are no table", async () => {
    const line = "the committee has looked at the wall again";
    const words = Array.from({ length: 20 }, (_, index): [number, number, string] => [
      index % 2 === 0 ? 60 : 310,
      740 - 14 * Math.floor(index / 2),
      line.slice(index % 3),
    ]);
    expect(await tablesOf(makePdf([drawn(words)]), "a.pdf")).toEqual([]);
  });

  test("the ruled, wrapped and centred tables of a printed web page", async () => {
    const path = join(import.meta.dirname, "files", "fees.pdf");
    const document = await extractText(path, { filename: "fees.pdf" });
    expect(seen(document)).toEqual([
      {
        page: 1,
        header: 1,
        rows: [
          "Length of vessel | Day | Month | Remarks",
          "Up to 6 metres | £12.50 | £210.00 | Water and electricity on the pontoon are part of the fee",
          "6 to 9 metres | £18.00 | £295.00 | Shore power is metered",
          "9 to 12 metres | £26.40 | £410.00 | " +
            "Only berths on the north quay, which the harbour master assigns",
        ],
      },
      {
        page: 1,
        header: 2,
        rows: [
          "Source | Income | ",
          " | 2024 | 2025",
          "Berths | 184,200 | 201,750",
          "Crane | 22,410 | 19,980",
          "Car park | 8,300 | 9,125",
          "Total | 214,910 | 230,855",
        ],
      },
      {
        page: 1,
        header: 1,
        rows: [
          "Place | High water | Low water",
          "North quay | 4.2 m | 0.9 m",
          "Outer mole | 4.6 m | 0.7 m",
          "Lock | 4.1 m | 1.2 m",
        ],
      },
    ]);
    const find = (query: Parameters<typeof findTableCell>[1]): string | undefined => {
      const found = findTableCell(document.pages, query);
      return document.pages[0]?.text.slice(found?.start, found?.end);
    };
    expect(find({ row: "Crane", column: "2025" })).toBe("19,980");
    expect(find({ row: "9 to 12 metres", column: "Month" })).toBe("£410.00");
  });
});

describe("limits", () => {
  test("cells above the limit of a document stay text, with a warning", async () => {
    const lines = Array.from({ length: 4_000 }, () => Array(40).fill("1").join(","));
    const { pages, warnings } = await extract(lines.join("\n"), { filename: "a.csv" });
    const cells = pages.flatMap(({ tables = [] }) => tables.flatMap(({ rows }) => rows.flat()));
    expect(cells.length).toBeLessThanOrEqual(tableLimits.cellsOfDocument);
    expect(cells.length).toBeGreaterThan(tableLimits.cellsOfDocument / 2);
    expect(warnings).toEqual([expect.stringMatching(/more than 50000 table cells/)]);
    expect(pages.at(-1)?.text).toContain("1\t1");
  });

  test("huge spans are bounded", async () => {
    const page = `<html><table><tr><td colspan=1e9 rowspan=1e9>a<td>b<tr><td>c<td>d</table>`;
    const [table] = await tablesOf(page, "a.html");
    expect(table?.rows[0]?.split(" | ").length).toBeLessThanOrEqual(tableLimits.columns);
  });
});
