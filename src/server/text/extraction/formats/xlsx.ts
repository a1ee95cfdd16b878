import type { FormatReader } from "../extracted-document.ts";
import { corrupt, tooManyCharacters } from "../extraction-error.ts";
import { markedRow } from "../../tables/table-marks.ts";
import { OfficePackage } from "./office.ts";
import { attribute } from "./xml.ts";

const what = "Excel workbook";
/** The most empty cells between two filled ones that are kept as tabs. */
const emptyCellsKept = 32;

type Sheet = { name: string; part: string };
type Workbook = { sheets: Sheet[]; strings: string[]; formats: CellFormat[]; from1904: boolean };

/**
 * Reads an XLSX: one page or more per sheet, with its name, then one line per row, tabs between
 * cells. Cells give their saved values: ISO 8601 dates, percentages and money with their sign.
 */
export const extractXlsx: FormatReader = async (bytes, limits, writer) => {
  const file = new OfficePackage(bytes, limits, what);
  const workbook = readWorkbook(file);
  let done = 0;
  for (const sheet of workbook.sheets) {
    const rows = readSheet(file, file.part(sheet.part), workbook, limits.characters);
    await writer.flow([sheet.name, ...rows].join("\n"));
    done += 1;
    await writer.progress(done, workbook.sheets.length);
  }
  return file.metadata();
};

function readWorkbook(file: OfficePackage): Workbook {
  const related = file.relationships(file.main);
  const sheets: Sheet[] = [];
  let from1904 = false;
  const open = (name: string, attributes: Record<string, string>): void => {
    if (name === "workbookPr") from1904 = isTrue(attributes.date1904);
    if (name !== "sheet") return;
    const target = related.get(attribute(attributes, "id") ?? "");
    // A chart sheet has no cells.
    if (target?.type !== "worksheet") return;
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
  if (cell.type === "b") return value === "1" ? "TRUE" : "FALSE";
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

/** How a cell's number is shown, if that changes its meaning. */
export type CellFormat =
  | { kind: "plain" }
  | { kind: "date" | "time" | "dateTime" }
  | { kind: "percent"; decimals: number }
  | { kind: "money"; sign: string; decimals: number };

const millisecondsPerDay = 86_400_000;
/** Days from 1900's day zero, and from 1904's, to 1 January 1970. */
const daysTo1970 = { from1900: 25_569, from1904: 24_107 };
/** 31 December 9999, the last day in a spreadsheet. */
const lastDay = 2_958_465;

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

/** Number formats without a definition (ECMA-376 part 1, 18.8.30). */
function builtInFormat(id: number): CellFormat {
  const isAmong = (first: number, last: number): boolean => id >= first && id <= last;
  if (isAmong(14, 17) || isAmong(27, 36) || isAmong(50, 58)) return { kind: "date" };
  if (isAmong(18, 21) || isAmong(45, 47)) return { kind: "time" };
  if (id === 22) return { kind: "dateTime" };
  return id === 9 || id === 10
    ? { kind: "percent", decimals: id === 9 ? 0 : 2 }
    : { kind: "plain" };
}

const currencySign = /\[\$([^\]-]+)(?:-[0-9A-Fa-f]+)?\]|"([£€$¥]|[A-Z]{3})"|\\?([£€$¥])/;

function formatOfCode(code: string): CellFormat {
  const positive = code.split(";")[0] ?? "";
  const decimals = /[0#]\.(0+)/.exec(positive)?.[1]?.length ?? 0;
  const sign = currencySign.exec(positive);
  // Quoted words, escaped characters and [conditions] hold no date letters.
  const letters = positive.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "").toLowerCase();
  const hasDay = /[dy]/.test(letters);
  const hasHour = /[hs]/.test(letters);
  if (hasDay) return { kind: hasHour ? "dateTime" : "date" };
  if (hasHour) return { kind: "time" };
  if (letters.includes("%")) return { kind: "percent", decimals };
  const money = sign?.[1] ?? sign?.[2] ?? sign?.[3];
  if (money !== undefined) return { kind: "money", sign: money.trim(), decimals };
  return { kind: "plain" };
}

/** A stored number as text: `2026-03-14`, `09:30`, `25%`, `£1,250.00`, or the number itself. */
function formatNumber(stored: string, format: CellFormat, from1904: boolean): string {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  switch (format.kind) {
    case "plain":
      return plainNumber(number);
    case "percent":
      return `${(number * 100).toFixed(format.decimals)}%`;
    case "money": {
      const amount = Math.abs(number).toLocaleString("en", {
        minimumFractionDigits: format.decimals,
        maximumFractionDigits: format.decimals,
      });
      const space = format.sign.length > 1 ? " " : "";
      return `${number < 0 ? "-" : ""}${format.sign}${space}${amount}`;
    }
    case "date":
    case "time":
    case "dateTime": {
      if (number < 0 || number > lastDay) return plainNumber(number);
      const offset = from1904 ? daysTo1970.from1904 : daysTo1970.from1900;
      // Rounded to seconds, because a binary number has a time of day inexactly.
      const seconds = Math.round(((number - offset) * millisecondsPerDay) / 1000);
      const text = new Date(seconds * 1000).toISOString();
      if (format.kind === "date") return text.slice(0, 10);
      const time = text.slice(17, 19) === "00" ? text.slice(11, 16) : text.slice(11, 19);
      return format.kind === "time" ? time : `${text.slice(0, 10)} ${time}`;
    }
  }
}

/** 15 digits, as spreadsheets show, remove the noise of sums such as 0.30000000000000004. */
function plainNumber(number: number): string {
  return String(Number(number.toPrecision(15)));
}
