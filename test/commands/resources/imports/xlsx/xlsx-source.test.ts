import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { findHeader } from "#commands/resources/imports/header.ts";
import type { TableRow } from "#commands/resources/imports/source.ts";
import { openTable } from "#commands/resources/imports/table-rows.ts";
import { xlsxSource } from "#commands/resources/imports/xlsx/xlsx-source.ts";

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;

/** A workbook as Excel writes it: shared strings, styles, a hidden sheet before the visible one. */
function workbook(cells: string, after = "", settings = "<workbookPr/>"): Blob {
  const parts = {
    "_rels/.rels": `<Relationships>${relation("r", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook xmlns:r="${office}">${settings}<sheets>
      <sheet name="Lists" state="hidden" r:id="rId9"/><sheet name="2026" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation("rId9", "worksheet", "worksheets/sheet2.xml")}
      ${relation("rId1", "worksheet", "/xl/worksheets/sheet1.xml")}
      ${relation("rId2", "sharedStrings", "sharedStrings.xml")}
      ${relation("rId3", "styles", "styles.xml")}</Relationships>`,
    "xl/sharedStrings.xml": `<sst><si><t>Ref. No</t></si><si><r><t>Appli</t></r><r><t>cant</t></r>
      <rPh><t>x</t></rPh></si><si><t>A &amp; B_x000A_Ltd</t></si></sst>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="165" formatCode="00000"/></numFmts>
      <cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${cells}</sheetData>${after}</worksheet>`,
    "xl/worksheets/sheet2.xml": "<worksheet><sheetData/></worksheet>",
  };
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]);
  return new Blob([zipSync(Object.fromEntries(files))]);
}

async function rowsOf(file: Blob, names: readonly string[] = []) {
  const source = await xlsxSource(file, { name: "book.xlsx", sheet: undefined });
  const matches = (name: string) => names.includes(name);
  const table = await openTable(source, { bytes: 0 }, { given: undefined, matches });
  const rows: TableRow[] = [];
  for await (const some of table.rows) rows.push(...some);
  return { source, header: table.header, rows, skipped: table.skipped };
}

const cell = (place: string, value: string, attributes = "") =>
  `<c r="${place}" ${attributes}><v>${value}</v></c>`;

test("a workbook counts from 1904, whatever its extensions say", async () => {
  const pr = '<workbookPr date1904="1"/><x15:workbookPr chartTrackingRefBase="1"/>';
  const rows = `<row r="1">${cell("A1", "0", 't="s"')}</row><row r="2">${cell("A2", "1", 's="1"')}</row>`;
  const read = await rowsOf(workbook(rows, "", pr), ["Ref. No"]);
  expect(read.rows[0]?.cells).toEqual([{ date: "1904-01-02" }]);
});

test("the empty text of a formula is an empty cell, other results are texts", async () => {
  const formulas = `<c r="A2" t="str"><f>IF(B2="","",B2)</f><v></v></c>
    <c r="B2" t="str"><f>UPPER("a")</f><v>A</v></c>`;
  const rows = `<row r="1">${cell("A1", "0", 't="s"')}${cell("B1", "1", 't="s"')}</row>`;
  const read = await rowsOf(workbook(`${rows}<row r="2">${formulas}</row>`), ["Ref. No"]);
  expect(read.rows.map(({ cells }) => cells)).toEqual([[undefined, "A"]]);
});

test("cells have the types of their formats, and places where others are missing", async () => {
  const { source, rows } = await rowsOf(
    workbook(`<row r="1">${cell("A1", "0", 't="s"')}${cell("B1", "1", 't="s"')}</row>
      <row r="3">${cell("A3", "2", 't="s"')}${cell("C3", "46095", 's="1"')}
      ${cell("D3", "46095.375", 's="2"')}${cell("E3", "42", 's="3"')}${cell("F3", "1", 't="b"')}
      ${cell("G3", "#REF!", 't="e"')}<c r="H3" t="inlineStr"><is><t></t></is></c>
      ${cell("AA3", "0.1")}${cell("AB3", "46095.375", 's="1"')}${cell("AC3", "true", 't="b"')}
      ${cell("AD3", "12345678901234567")}</row>`),
    ["Ref. No", "Applicant"],
  );
  expect(source.format).toBe('XLSX, sheet "2026"');
  expect(rows).toHaveLength(1);
  const [{ number, cells } = { number: 0, cells: [] }] = rows;
  expect(number).toBe(3);
  expect(cells.slice(0, 8)).toEqual([
    "A & B\nLtd",
    undefined,
    { date: "2026-03-14" },
    { date: "2026-03-14 09:00" },
    "00042",
    true,
    { error: "#REF!" },
    "",
  ]);
  expect(cells.slice(26)).toEqual([
    0.1,
    { date: "2026-03-14", exact: "2026-03-14 09:00" },
    true,
    "12345678901234567",
  ]);
});

test("merged headers of two rows join, and merged cells below have the first value", async () => {
  const text = (place: string, value: string) =>
    `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const { header, rows, skipped } = await rowsOf(
    workbook(
      `<row r="1">${text("A1", "Applications 2026")}</row>
      <row r="3">${text("A3", "Ward")}${text("B3", "Applicant")}</row>
      <row r="4">${text("B4", "Name")}${text("C4", "Phone")}</row>
      <row r="5">${text("A5", "North")}${text("B5", "Ann")}${text("C5", "1")}</row>
      <row r="6">${text("B6", "Bob")}${text("C6", "2")}</row>
      <row r="7">${text("A7", "South")}${text("B7", "Cy")}</row>
      <row r="8"><c r="C8"><f>SUM(C5:C7)</f><v>3</v></c></row>`,
      `<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="A3:A4"/><mergeCell ref="B3:C3"/>
      <mergeCell ref="A5:A6"/></mergeCells>`,
    ),
    ["Ward", "Applicant Name", "Applicant Phone"],
  );
  expect(header).toEqual({ lastRow: 4, names: ["Ward", "Applicant Name", "Applicant Phone"] });
  expect(rows.map(({ cells }) => cells.slice(0, 2))).toEqual([
    ["North", "Ann"],
    ["North", "Bob"],
    ["South", "Cy"],
  ]);
  expect(skipped).toEqual([{ row: 8, reason: "is a total" }]);
});

test("a file that is cut or changed is refused before its first row", async () => {
  const bytes = new Uint8Array(await workbook(`<row r="1">${cell("A1", "1")}</row>`).arrayBuffer());
  const open = (changed: Uint8Array<ArrayBuffer>) =>
    xlsxSource(new Blob([changed]), { name: "book.xlsx", sheet: undefined });
  await expect(open(bytes.slice(0, -30))).rejects.toMatchObject({ code: "E304" });
  const sheet = Buffer.from(bytes).indexOf("xl/worksheets/sheet1.xml") + 30;
  const flipped = bytes.slice();
  flipped[sheet] = (flipped[sheet] ?? 0) ^ 0x10;
  await expect(open(flipped)).rejects.toMatchObject({ code: "E304" });
  const named = xlsxSource(new Blob([bytes]), { name: "book.xlsx", sheet: "2025" });
  await expect(named).rejects.toMatchObject({ code: "E305" });
});

test("a header without a known name is the first row with most columns", () => {
  const row = (number: number, ...cells: string[]): TableRow => ({ number, cells });
  const rows = [row(1, "Report"), row(2), row(3, "a", "b", "a"), row(4, "1", "2", "3")];
  const header = findHeader(rows, { merges: [], given: undefined, matches: () => false });
  expect(header).toEqual({ lastRow: 3, names: ["a", "b", "a (2)"] });
});
