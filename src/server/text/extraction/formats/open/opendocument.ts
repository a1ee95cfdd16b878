import {
  cellMarks,
  cellText,
  markedRow,
  marks,
  withoutMarks,
} from "../../../tables/table-marks.ts";
import type { DocumentMetadata, FormatReader, PageWriter } from "../../extracted-document.ts";
import { corrupt, encrypted, ExtractionError, tooManyCharacters } from "../../extraction-error.ts";
import type { ExtractionLimits } from "../../extraction-limits.ts";
import { hasTextFrom, simpleNumber } from "../numbering/list-counters.ts";
import { OpenNumbering } from "../numbering/open-numbering.ts";
import { alternativeText } from "../pictures/alternative-text.ts";
import { DrawnShapes, shapesWithoutText } from "../pictures/drawn-shapes.ts";
import { writePictures } from "../pictures/embedded-pictures.ts";
import { attribute, readXml } from "../xml.ts";
import { headersIn, metadataIn } from "./page-surroundings.ts";
import { openZip, type ZipArchive } from "../zip.ts";
import { pictureOf, picturesOf } from "./stored-pictures.ts";

const what = "OpenDocument file";

/**
 * Reads an OpenDocument text, spreadsheet, presentation or drawing (OASIS ODF 1.3): one page per
 * slide or drawn page, or per sheet with its name, with tables (one line per row, tabs between
 * cells), numbers of lists and headings, and alternative texts. Notes, comments, headers, footers
 * and embedded objects, formulas too, follow. Leaves out deleted text of tracked changes.
 */
export const extractOpenDocument: FormatReader = async (bytes, limits, writer) => {
  const archive = openZip(bytes, limits, what);
  refuseEncrypted(archive);
  const content = archive.read("content.xml");
  if (content === null) throw corrupt(what);
  const styles = archive.read("styles.xml");
  const story = readStory(content, limits, styles);
  for (const [index, page] of story.pages.entries()) {
    await writePage(writer, page);
    await writer.progress(index + 1, story.pages.length);
  }
  const around = styles === null ? [] : headersIn(styles, limits);
  const objects = objectsIn(archive, limits, writer);
  const others = [...story.notes, ...story.comments, ...around, ...objects];
  const text = [...new Set(others.filter((each) => each.trim() !== ""))].join("\n\n");
  if (text !== "") await writer.flow(text);
  const shown = await writePictures(writer, picturesOf(archive));
  nameShapes(writer, story, text, shown);
  return metadataOf(archive, limits);
};

/**
 * Reads an OpenDocument file that is one XML text (FODT, FODS, FODP, FODG), as the others are; its
 * pictures are in the text as Base64.
 */
export const extractFlatOpenDocument: FormatReader = async (bytes, limits, writer) => {
  const story = readStory(bytes, limits);
  const { pages, notes, comments } = story;
  for (const page of pages) await writePage(writer, page);
  const others = [...notes, ...comments, ...headersIn(bytes, limits)];
  const text = [...new Set(others.filter((each) => each.trim() !== ""))].join("\n\n");
  if (text !== "") await writer.flow(text);
  const shown = await writePictures(writer, story.pictures.map(pictureOf));
  nameShapes(writer, story, text, shown);
  return metadataIn(bytes, limits);
};

const contentFile = "/content.xml";

/** The texts of embedded objects. A damaged one is named, and the document is read all the same. */
function objectsIn(archive: ZipArchive, limits: ExtractionLimits, writer: PageWriter): string[] {
  const names = [...archive.names].filter((name) => name.endsWith(contentFile));
  return names.map((name) => {
    try {
      return allText(readStory(archive.read(name) ?? new Uint8Array(), limits));
    } catch (error) {
      if (!(error instanceof ExtractionError) || error.code !== "corrupt") throw error;
      const object = name.slice(0, -contentFile.length);
      writer.leaveOut(`The embedded object "${object}" was not read: it seems damaged.`);
      return "";
    }
  });
}

async function writePage(writer: PageWriter, page: StoryPage): Promise<void> {
  const { text, isSlide, hasShapes } = page;
  if (!isSlide) return await writer.flow(text);
  await writer.page(text, hasShapes ? async () => ({ kind: "drawing" }) : undefined);
}

/** Slides of shapes are named as pages; other files without any text show shapes as a whole. */
function nameShapes(writer: PageWriter, { pages }: Story, around: string, shown: number): void {
  const isEmpty = around === "" && shown === 0 && pages.every(({ text }) => text === "");
  const isFlow = pages.some(({ isSlide, hasShapes }) => hasShapes && !isSlide);
  if (isEmpty && isFlow) writer.leaveOut(shapesWithoutText);
}

function refuseEncrypted(archive: ZipArchive): void {
  const manifest = archive.read("META-INF/manifest.xml");
  if (manifest !== null && Buffer.from(manifest).includes("encryption-data")) {
    throw encrypted(what);
  }
}

interface StoryPage {
  readonly text: string;
  readonly isSlide: boolean;
  /** True if it shows shapes, which may be all that it shows. */
  readonly hasShapes: boolean;
}

interface Story {
  readonly pages: StoryPage[];
  readonly notes: string[];
  readonly comments: string[];
  /** Pictures within the text of a flat file, in Base64. */
  readonly pictures: string[];
}

function allText({ pages, notes, comments }: Story): string {
  return [...pages.map(({ text }) => text), ...notes, ...comments].join("\n\n");
}

/** Elements without text of the document, or with deleted text. */
const leftOut = new Set([
  "tracked-changes",
  "forms",
  "scripts",
  "automatic-styles",
  "master-styles",
  "styles",
  "font-face-decls",
  "ruby-text",
  "creator",
  "date",
  "note-citation",
  "meta",
  "number",
  "sequence-decls",
]);
const paragraphs = new Set(["p", "h"]);
/** Elements of a drawing for people who can't see it. */
const descriptions = new Set(["desc", "title"]);
const hasOwnBuffer = new Set(["note-body", "annotation", "binary-data"]);
/** Repetitions of a cell or row that are written. */
const repeatedAtMost = 32;

interface Row {
  readonly cells: string[];
  readonly times: number;
}

/** A paragraph, whose number is known when it begins. */
interface OpenParagraph {
  readonly buffer: string[];
  readonly at: number;
  readonly number: string;
  readonly isHeading: boolean;
}

interface OpenTable {
  readonly name: string;
  written: number;
  /** Elements for heading rows that are open. */
  headings: number;
}

/** Reads the text of content.xml, or of another part, in the order in which it is written. */
class StoryReader {
  readonly story: Story = { pages: [], notes: [], comments: [], pictures: [] };
  /** Text goes to the innermost buffer: the page, a cell, a note or a comment. */
  readonly #buffers: string[][] = [[]];
  readonly #tables: OpenTable[] = [];
  readonly #rows: Row[] = [];
  readonly #cells: Readonly<Record<string, string>>[] = [];
  #skipped = 0;
  readonly #paragraphs: OpenParagraph[] = [];
  /** The alternative text of a picture, while it is read, and those that follow their paragraph. */
  #described: string | undefined;
  readonly #descriptions: string[] = [];
  #listItems = 0;
  #characters = 0;
  #isSheet = false;
  #isFormula = false;
  readonly #shapes = new DrawnShapes("open");

  constructor(
    private readonly limits: ExtractionLimits,
    private readonly numbering: OpenNumbering,
  ) {}

  open(name: string, attributes: Record<string, string>): void {
    this.#shapes.open(name, attributes);
    this.#described = descriptions.has(name) ? "" : undefined;
    if (name === "math") this.#isFormula = true;
    if (this.#skipped > 0 || this.#isLeftOut(name)) {
      this.#skipped += 1;
      this.numbering.readStyle(name, attributes);
    } else if (paragraphs.has(name)) this.#startParagraph(name, attributes);
    else if (name === "list") this.numbering.startList(attributes);
    else if (name === "s") this.#write(" ".repeat(numberIn(attributes, "c")));
    else if (name === "tab") this.#write("\t");
    else if (name === "line-break") this.#write("\n");
    else if (name === "list-item") {
      this.#listItems += 1;
      this.numbering.startItem(attributes);
    } else if (name === "spreadsheet") this.#isSheet = true;
    else if (hasOwnBuffer.has(name)) this.#buffers.push([]);
    else if (name === "table") {
      this.#tables.push({ name: attribute(attributes, "name") ?? "", written: 0, headings: 0 });
      if (this.#isSheet && this.#tables.length === 1) this.#write(`${this.#sheetName()}\n`);
    } else if (name === "table-header-rows") this.#setHeading(1);
    else if (name === "table-row") {
      this.#rows.push({ cells: [], times: numberIn(attributes, "number-rows-repeated") });
    } else if (name === "table-cell") {
      this.#cells.push(attributes);
      this.#buffers.push([]);
    }
  }

  close(name: string): void {
    this.#shapes.close(name);
    if (this.#skipped > 0) {
      this.#skipped -= 1;
    } else if (name === "math") this.#isFormula = false;
    else if (paragraphs.has(name)) this.#endParagraph();
    else if (descriptions.has(name)) this.#endDescription();
    else if (name === "list") this.numbering.endList();
    else if (name === "list-item") {
      this.#listItems -= 1;
      this.numbering.endItem();
    } else if (name === "note-body") this.story.notes.push(this.#take().trim());
    else if (name === "annotation") this.story.comments.push(this.#take().trim());
    else if (name === "binary-data") this.story.pictures.push(this.#take());
    else if (name === "table-header-rows") this.#setHeading(-1);
    else if (name === "table-cell") this.#endCell();
    else if (name === "table-row") this.#endRow();
    else if (name === "table") {
      this.#tables.pop();
      this.#write(`${marks.end}\n`);
      if (this.#isSheet && this.#tables.length === 0) this.#endPage(false);
    } else if (name === "page") this.#endPage(true);
  }

  text(value: string): void {
    if (this.#skipped > 0) return;
    if (this.#described !== undefined) this.#described += value;
    else if (this.#paragraphs.length > 0 || this.#isFormula) {
      this.#write(value.replaceAll(/\s+/g, " "));
    }
  }

  end(): Story {
    if (this.#shapes.areVisible || this.#buffers.flat().join("").trim() !== "")
      this.#endPage(false);
    return this.story;
  }

  /** The annotation of a formula (MathML 3) repeats it in the language of its editor. */
  #isLeftOut(name: string): boolean {
    return leftOut.has(name) || (this.#isFormula && name === "annotation");
  }

  #startParagraph(name: string, attributes: Record<string, string>): void {
    const buffer = this.#buffers.at(-1) ?? [];
    const number = this.numbering.numberOf(name, attributes);
    this.#paragraphs.push({ buffer, at: buffer.push("") - 1, number, isHeading: name === "h" });
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    const { buffer, at, number, isHeading } = paragraph;
    const inCell = this.#cells.length > 0;
    // The number of an empty cell may be all that its row has.
    if (number !== "" && (inCell || hasTextFrom(buffer, at))) {
      buffer[at] = number;
      this.#count(number);
    }
    const isItem = this.#listItems > 0 && !isHeading;
    const isLine = inCell || (isItem && (number === "" || simpleNumber.test(number)));
    this.#write(isLine ? "\n" : "\n\n");
    if (this.#paragraphs.length === 0) this.#writeDescriptions();
  }

  /** A chart has a title too, which is a paragraph. */
  #endDescription(): void {
    const text = alternativeText(this.#described);
    this.#described = undefined;
    if (text === "" || text === this.#descriptions.at(-1)) return;
    this.#descriptions.push(text);
    if (this.#paragraphs.length === 0) this.#writeDescriptions();
  }

  #writeDescriptions(): void {
    for (const text of this.#descriptions.splice(0)) this.#write(`${text}\n\n`);
  }

  #sheetName(): string {
    return this.#tables.at(-1)?.name ?? "";
  }

  #setHeading(change: number): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) table.headings += change;
  }

  #write(text: string): void {
    this.#count(text);
    this.#buffers.at(-1)?.push(text);
  }

  #count(text: string): void {
    this.#characters += text.length;
    // Repeated cells make much text of a small file.
    if (this.#characters > this.limits.characters) throw tooManyCharacters(this.limits.characters);
  }

  #take(): string {
    return this.#buffers.pop()?.join("") ?? "";
  }

  #endPage(isSlide: boolean): void {
    const text = this.#buffers[0]?.splice(0).join("").trim() ?? "";
    const hasShapes = this.#shapes.take();
    if (isSlide || hasShapes || text !== "") {
      this.story.pages.push({ text, isSlide, hasShapes });
    }
  }

  /** A table within a cell is text of the cell. */
  #endCell(): void {
    const attributes = this.#cells.pop() ?? {};
    const shown = cellText(this.#take());
    const day = /^\d{4}-\d\d-\d\d/.exec(attribute(attributes, "date-value") ?? "")?.[0];
    const text = shown !== "" && day !== undefined ? day : shown;
    const cell =
      cellMarks({
        isHeading: (this.#tables.at(-1)?.headings ?? 0) > 0,
        columns: numberIn(attributes, "number-columns-spanned"),
        rows: numberIn(attributes, "number-rows-spanned"),
      }) + text;
    const times = Math.min(repeatedAtMost, numberIn(attributes, "number-columns-repeated"));
    const row = this.#rows.at(-1);
    for (let time = 0; time < times; time += 1) row?.cells.push(cell);
  }

  #endRow(): void {
    const row = this.#rows.pop();
    const table = this.#tables.at(-1);
    if (row === undefined || table === undefined) return;
    const filled = row.cells.findLastIndex((cell) => withoutMarks(cell) !== "") + 1;
    const cells = row.cells.slice(0, filled);
    const times = cells.length === 0 ? 1 : Math.min(repeatedAtMost, row.times);
    for (let time = 0; time < times; time += 1) {
      const line = markedRow(cells, table.written === 0);
      if (line !== "") table.written += 1;
      this.#write(`${line}\n`);
    }
  }
}

function numberIn(attributes: Readonly<Record<string, string>>, name: string): number {
  const value = Math.floor(Number(attribute({ ...attributes }, name) ?? 1));
  return Number.isFinite(value) && value > 0 ? Math.min(value, 1_000) : 1;
}

/** `styles` is the part with the styles of the file, if it has one. */
function readStory(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  styles: Uint8Array | null = null,
): Story {
  const numbering = new OpenNumbering();
  if (styles !== null) {
    const open = (name: string, attributes: Record<string, string>): void =>
      numbering.readStyle(name, attributes);
    readXml(styles, { open }, limits, what, { hasDoctype: true });
  }
  const reader = new StoryReader(limits, numbering);
  readXml(
    bytes,
    {
      open: (name, attributes) => reader.open(name, attributes),
      close: (name) => reader.close(name),
      text: (text) => reader.text(text),
    },
    limits,
    what,
    { hasDoctype: true },
  );
  return reader.end();
}

function metadataOf(archive: ZipArchive, limits: ExtractionLimits): DocumentMetadata {
  const bytes = archive.read("meta.xml");
  return bytes === null ? {} : metadataIn(bytes, limits);
}
