import { Zip, ZipDeflate, strToU8 } from "fflate";
import { inputError } from "#cli/errors.ts";
import type { Cell } from "../imports/source.ts";
import { columnLetters } from "../imports/xlsx/sheet-rows.ts";

/** The most rows of a sheet. */
const rowsAtMost = 1_048_576;
/** The most characters of a cell. */
const charactersAtMost = 32_767;
/** Text that is compressed at once. */
const chunkCharacters = 64 * 1024;

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const contentType = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The styles of cells: 0 none, 1 a date, 2 a date with its time, 3 a heading. */
const styles = `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" \
formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>\
</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="1"><fill/></fills>\
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>\
<cellXfs count="4"><xf/><xf numFmtId="164" applyNumberFormat="1"/>\
<xf numFmtId="165" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`;

const parts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" \
ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override \
PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/><Override \
PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/><Override \
PartName="/xl/worksheets/sheet1.xml" ContentType="${contentType}.worksheet+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" \
Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships"><Relationship \
Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" \
Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": styles,
};

/** Packs rows into an XLSX of one sheet, in the memory of a chunk. */
export class XlsxPacker {
  #packed: Uint8Array[] = [];
  #text = "";
  #row = 0;
  readonly #zip: Zip;
  readonly #sheet: ZipDeflate;

  constructor(sheetName: string, header: readonly string[]) {
    this.#zip = new Zip((error, chunk) => {
      if (error !== null) throw error;
      this.#packed.push(chunk);
    });
    const name = escaped(sheetName.replace(/[\\/?*[\]:]/g, " ").slice(0, 31));
    const workbook = `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet \
name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
    for (const [part, xml] of Object.entries({ ...parts, "xl/workbook.xml": workbook })) {
      const file = new ZipDeflate(part);
      this.#zip.add(file);
      file.push(strToU8(head + xml), true);
    }
    this.#sheet = new ZipDeflate("xl/worksheets/sheet1.xml", { level: 6 });
    this.#zip.add(this.#sheet);
    this.#text = `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<sheetData>`;
    this.#add(header, 3);
  }

  /** Adds a row. Throws E305 for more rows, or more characters in a cell, than a sheet can have. */
  add(cells: readonly Cell[]): void {
    this.#add(cells, 0);
  }

  /** The packed bytes so far. */
  take(): readonly Uint8Array[] {
    const packed = this.#packed;
    this.#packed = [];
    return packed;
  }

  end(): readonly Uint8Array[] {
    this.#sheet.push(strToU8(`${this.#text}</sheetData></worksheet>`), true);
    this.#zip.end();
    return this.take();
  }

  #add(cells: readonly Cell[], style: number): void {
    this.#row += 1;
    if (this.#row > rowsAtMost) {
      throw inputError(`an XLSX sheet has at most ${rowsAtMost} rows`, "Write CSV or NDJSON");
    }
    let xml = `<row r="${this.#row}">`;
    for (const [at, cell] of cells.entries()) {
      if (cell !== undefined) xml += cellXml(`${columnLetters(at)}${this.#row}`, cell, style);
    }
    this.#text += `${xml}</row>`;
    if (this.#text.length < chunkCharacters) return;
    this.#sheet.push(strToU8(this.#text));
    this.#text = "";
  }
}

function cellXml(place: string, cell: NonNullable<Cell>, style: number): string {
  if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === "object" && "date" in cell) {
    const serial = serialOf(cell.date);
    if (serial === undefined) return cellXml(place, cell.date, style);
    const hasTime = !Number.isInteger(serial);
    return `<c r="${place}" s="${hasTime ? 2 : 1}"><v>${serial}</v></c>`;
  }
  const text = typeof cell === "string" ? cell : cell.error;
  if (text.length > charactersAtMost) {
    const details = `cell ${place} has ${text.length} characters; XLSX takes ${charactersAtMost}`;
    throw inputError(details, "Write CSV or NDJSON");
  }
  const named = style === 0 ? "" : ` s="${style}"`;
  const content = `<is><t xml:space="preserve">${escaped(text)}</t></is>`;
  return `<c r="${place}"${named} t="inlineStr">${content}</c>`;
}

const firstSerialDay = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;
/** 1 March 1900: the days before are wrong in spreadsheets. */
const firstSafeSerial = 61;

/** The days of a date since 1900; undefined for one that a spreadsheet cannot have. */
function serialOf(date: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(date);
  if (found === null) return undefined;
  const ms = Date.parse(`${found[1]}T${found[2] ?? "00:00"}Z`);
  const serial = (ms - firstSerialDay) / dayMs;
  return serial >= firstSafeSerial ? serial : undefined;
}

const controls = /[\x00-\x08\x0b-\x1f\ufffe\uffff]/;
const halfPairs = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const unwritable = new RegExp(`${controls.source}|${halfPairs.source}`, "g");

/** Text for XML; characters that XML cannot hold, and texts like their escapes, are `_xHHHH_`. */
function escaped(text: string): string {
  const code = (sign: string): string =>
    sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(unwritable, (sign) => `_x${code(sign)}_`)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
