import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import { corrupt, tooManyCharacters } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { markedRow } from "../../tables/table-marks.ts";
import { textsNextTo } from "./drawing.ts";
import { filesIn, readFiles, type FileReader } from "./embedded/embedded-files.ts";
import { writePictures } from "./pictures/embedded-pictures.ts";
import { OfficePackage } from "./office.ts";
import { attribute } from "./xml.ts";
import {
  builtInFormat,
  formatNumber,
  formatOfCode,
  type CellFormat,
} from "#lib/spreadsheets/number-format.ts";

const what = "Excel workbook";
/** The most empty cells between two filled ones that are kept as tabs. */
const emptyCellsKept = 32;

type Sheet = { name: string; part: string };
type Workbook = { sheets: Sheet[]; strings: string[]; formats: CellFormat[]; from1904: boolean };

/**
 * Reads an XLSX: one page or more per sheet, with its name, then one line per row, tabs between
 * cells, then its text boxes, charts and comments, and last the files within the workbook. Cells
 * give their saved values: ISO 8601 dates, percentages and money with their sign.
 */
export async function extractXlsx(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  read: FileReader,
): Promise<DocumentMetadata> {
  const file = new OfficePackage(bytes, limits, what);
  const workbook = readWorkbook(file);
  let done = 0;
  for (const sheet of workbook.sheets) {
    const rows = readSheet(file, file.part(sheet.part), workbook, limits.characters);
    const text = [sheet.name, ...rows].join("\n");
    await writer.flow([text, ...textsNextTo(file, sheet.part)].join("\n\n"));
    done += 1;
    await writer.progress(done, workbook.sheets.length);
  }
  await writePictures(writer, file.pictures("xl/media"));
  await readFiles(filesIn(file), { limits, writer, read });
  return file.metadata();
}

function readWorkbook(file: OfficePackage): Workbook {
  const related = file.relationships(file.main);
  const sheets: Sheet[] = [];
  let from1904 = false;
  const open = (name: string, attributes: Record<string, string>): void => {
    // An extension of the workbook has an element of the same name.
    if (name === "workbookPr") from1904 ||= isTrue(attributes.date1904);
    if (name !== "sheet") return;
    const target = related.get(attribute(attributes, "id") ?? "");
    // A chart sheet has a drawing and no cells.
    if (target?.type !== "worksheet" && target?.type !== "chartsheet") return;
    sheets.push({ name: attributes.name ?? "Sheet", part: target.target });
  };
  file.readXml(file.part(file.main), { open });

  const partOf = (type: string): Uint8Array | null =>
    file.optionalPart([...related.values()].find((each) => each.type === type)?.target);
  const stringsPart = partOf("sharedStrings");
  const stylesPart = partOf("styles");
  return {
    sheets,
    strings: stringsPart === null ? [] : readStrings(file, stringsPart),
    formats: stylesPart === null ? [] : readFormats(file, stylesPart),
    from1904,
  };
}

/** The shared strings (ECMA-376 part 1, 18.4) without phonetic readings (`rPh`). */
function readStrings(file: OfficePackage, bytes: Uint8Array): string[] {
  const strings: string[] = [];
  let current = "";
  let inText = false;
  let phonetic = 0;
  file.readXml(bytes, {
    open(name) {
      if (name === "si") current = "";
      else if (name === "rPh") phonetic += 1;
      else if (name === "t") inText = phonetic === 0;
    },
    close(name) {
      if (name === "si") strings.push(current);
      else if (name === "rPh") phonetic -= 1;
      else if (name === "t") inText = false;
    },
    text(value) {
      if (inText) current += value;
    },
  });
  return strings;
}

/** The rows of a worksheet (ECMA-376 part 1, 18.3) that have text, as lines of marked tables. */
function readSheet(
  file: OfficePackage,
  bytes: Uint8Array,
  workbook: Workbook,
  characterLimit: number,
): string[] {
  const rows: string[] = [];
  let characters = 0;
  let cells: string[] = [];
  let column = 0;
  let number = 0;
  let lastNumber = -1;
  let cell: { type: string; style: number } | null = null;
  let value = "";
  let inValue = false;

  function endCell(): void {
    if (cell === null) return;
    const text = cellText(cell, value, workbook).replace(/\s+/g, " ").trim();
    cell = null;
    column += 1;
    if (text === "") return;
    const gap = Math.max(0, Math.min(column - 1 - cells.length, emptyCellsKept));
    // A small file can use one shared string in a million cells.
    characters += gap + text.length + 1;
    if (characters > characterLimit) throw tooManyCharacters(characterLimit);
    for (let index = 0; index < gap; index += 1) cells.push("");
    cells.push(text);
  }

  function endRow(): void {
    if (cells.length > 0) {
      // An empty row divides two tables.
      rows.push(markedRow(cells, number !== lastNumber + 1));
      lastNumber = number;
    }
    cells = [];
    column = 0;
  }

  file.readXml(bytes, {
    open(name, attributes) {
      if (name === "row") number = rowOf(attributes.r) ?? number + 1;
      else if (name === "c") {
        column = columnOf(attributes.r) ?? column;
        cell = { type: attributes.t ?? "n", style: Number(attributes.s ?? 0) };
        value = "";
      } else if (name === "v" || name === "t") inValue = cell !== null;
      else if (name === "rPh") inValue = false;
    },
    close(name) {
      if (name === "c") endCell();
      else if (name === "row") endRow();
      else if (name === "v" || name === "t") inValue = false;
    },
    text(text) {
      if (inValue) value += text;
    },
  });
  return rows;
}

function cellText(
  cell: { type: string; style: number },
  value: string,
  workbook: Workbook,
): string {
  if (value === "") return "";
  if (cell.type === "s") {
    const text = workbook.strings[Number(value)];
    if (text === undefined) throw corrupt(what);
    return text;
  }
  if (cell.type === "b") return isTrue(value) ? "TRUE" : "FALSE";
  if (cell.type !== "n") return value;
  return formatNumber(value, workbook.formats[cell.style] ?? { kind: "plain" }, workbook.from1904);
}

function rowOf(reference: string | undefined): number | undefined {
  const number = Number(reference ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** "AB12" gives 27; columns count from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + (letter.charCodeAt(0) - 64);
  return column - 1;
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** The formats of the workbook's styles; a cell's `s` is an index of this list. */
function readFormats(file: OfficePackage, bytes: Uint8Array): CellFormat[] {
  const custom = new Map<number, string>();
  const formats: CellFormat[] = [];
  let inCellFormats = false;
  file.readXml(bytes, {
    open(name, attributes) {
      if (name === "cellXfs") inCellFormats = true;
      else if (name === "numFmt") {
        custom.set(Number(attributes.numFmtId), attributes.formatCode ?? "");
      } else if (name === "xf" && inCellFormats) {
        const id = Number(attributes.numFmtId ?? 0);
        const code = custom.get(id);
        formats.push(code === undefined ? builtInFormat(id) : formatOfCode(code));
      }
    },
    close(name) {
      if (name === "cellXfs") inCellFormats = false;
    },
  });
  return formats;
}
