import { ownMember } from "#lib/own-member.ts";
import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { cellMarks, cellText, markedRow, marks } from "../../tables/table-marks.ts";
import { textsNextTo } from "./drawing.ts";
import { filesIn, readFiles, type FileReader } from "./embedded/embedded-files.ts";
import { WordNumbering, type StoryNumbers } from "./numbering/word-numbering.ts";
import { WordParagraphs } from "./numbering/word-paragraphs.ts";
import { DrawingTexts } from "./pictures/alternative-text.ts";
import { DrawnShapes, shapesWithoutText } from "./pictures/drawn-shapes.ts";
import { writePictures } from "./pictures/embedded-pictures.ts";
import { OfficePackage } from "./office.ts";
import { WordSigns } from "./word-signs.ts";
import { attribute } from "./xml.ts";

const otherParts = ["footnotes", "endnotes", "comments", "header", "footer"];

/**
 * Reads a DOCX, which has no pages: paragraphs with the numbers of lists and headings, tables (one
 * line per row, tabs between cells), text boxes, WordArt, symbols, choices of form fields,
 * alternative texts of pictures, notes, comments, charts, SmartArt, each header and footer once,
 * and the files within it. Leaves out the deleted text of tracked changes. `textOf` reads
 * documents of other formats within it (altChunk), which are text at their place.
 */
export async function extractDocx(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  {
    textOf,
    read,
  }: {
    textOf: (bytes: Uint8Array, file: { filename: string; mediaType: string }) => Promise<string>;
    read: FileReader;
  },
): Promise<DocumentMetadata> {
  const file = new OfficePackage(bytes, limits, "Word document");
  const related = file.relationships(file.main);
  const chunks = new Map<string, string>();
  for (const [id, { type, target }] of related) {
    if (type !== "aFChunk") continue;
    const name = target.slice(target.lastIndexOf("/") + 1);
    const part = file.optionalPart(target);
    if (part === null) writer.leaveOut(`The part ${name} of this document is missing.`);
    else chunks.set(id, `${await textOf(part, { filename: name, mediaType: "" })}\n\n`);
  }
  const numbering = new WordNumbering(file, related.values(), limits.characters, (message) =>
    writer.leaveOut(message),
  );
  const texts = [readStory(file, file.part(file.main), numbering.story(), chunks)];
  for (const type of otherParts) {
    for (const relationship of [...related.values()].filter((each) => each.type === type)) {
      const part = file.optionalPart(relationship.target);
      const text = part === null ? "" : readStory(file, part, numbering.story()).trim();
      if (text !== "" && !texts.includes(text)) texts.push(text);
    }
  }
  // The comments of a DOCX are read above as a story.
  texts.push(...textsNextTo(file, file.main, new Set(["chart", "diagramData"])));
  const whole = texts.join("\n\n");
  await writer.flow(whole);
  const pictures = await writePictures(writer, file.pictures("word/media"));
  const isEmpty = whole.trim() === "" && pictures === 0;
  if (isEmpty && hasShapes(file)) writer.leaveOut(shapesWithoutText);
  await readFiles(filesIn(file), { limits, writer, read });
  return file.metadata();
}

function hasShapes(file: OfficePackage): boolean {
  const shapes = new DrawnShapes("office");
  file.readXml(file.part(file.main), {
    open: (name, attributes) => shapes.open(name, attributes),
    close: (name) => shapes.close(name),
  });
  return shapes.areVisible;
}

/** The text of one part (ECMA-376 part 1, 17): body, notes, header or footer. */
function readStory(
  file: OfficePackage,
  bytes: Uint8Array,
  numbers: StoryNumbers,
  chunks: ReadonlyMap<string, string> = new Map(),
): string {
  // Text goes to the innermost buffer: the story, a table cell or a text box.
  const buffers: string[][] = [[]];
  const rows: DocxRow[] = [];
  /** Rows of each open table that have been written. */
  const tables: number[] = [];
  const boxes: string[] = [];
  const signs = new WordSigns();
  const paragraphs = new WordParagraphs(numbers);
  const drawings = new DrawingTexts();
  let [skipped, runs] = [0, 0];
  let inText = false;

  const write = (text: string): void => {
    buffers.at(-1)?.push(text);
  };
  const take = (): string => buffers.pop()?.join("") ?? "";

  function open(name: string, attributes: Record<string, string>): void {
    if (skipped === 0) paragraphs.property(name, attributes);
    if (isLeftOut(name)) skipped += 1;
    if (skipped > 0) return;
    const row = rows.at(-1);
    if (row !== undefined) readCellProperty(row, name, attributes);
    if (name === "p") paragraphs.start(buffers.at(-1) ?? [], row !== undefined);
    else if (name === "r") runs += 1;
    else if (name === "t") inText = true;
    else if (name === "altChunk") write(chunks.get(attribute(attributes, "id") ?? "") ?? "");
    else if (name === "tbl") tables.push(0);
    else if (name === "tr") rows.push({ cells: [], isHeading: false, columns: 1, isSame: false });
    else if (name === "tc" || name === "txbxContent") buffers.push([]);
    else if (runs > 0) {
      write(runText(name, attributes) + signs.open(name, attributes));
      if (frames.has(name)) drawings.start();
      const described = drawings.open(name, attributes);
      if (described !== "") boxes.push(`${described}\n\n`);
    }
  }

  function close(name: string): void {
    if (isLeftOut(name)) skipped -= 1;
    if (skipped > 0) return;
    if (runs > 0) write(signs.close(name));
    if (name === "p") {
      write(paragraphs.end());
      if (!paragraphs.areOpen) write(boxes.splice(0).join(""));
    } else if (name === "pPr") paragraphs.endProperties();
    else if (name === "r") runs -= 1;
    else if (name === "t") inText = false;
    else if (name === "tc") endCell(rows.at(-1), take());
    else if (name === "tr") write(endRow(rows.pop(), tables));
    else if (name === "tbl") {
      tables.pop();
      write(`${marks.end}\n`);
    } else if (name === "txbxContent") boxes.push(`${take().trim()}\n\n`);
  }

  const text = (value: string): void => {
    if (inText && skipped === 0) write(signs.text(value));
  };
  file.readXml(bytes, { open, close, text });
  return buffers.flat().join("");
}

/** A row as a line; `tables` has the rows that the open ones have so far. */
function endRow(row: DocxRow | undefined, tables: number[]): string {
  const written = tables.pop() ?? 0;
  const line = markedRow(row?.cells ?? [], written === 0);
  tables.push(line === "" ? written : written + 1);
  return `${line}\n`;
}

interface DocxRow {
  readonly cells: string[];
  isHeading: boolean;
  /** The columns that the open cell covers. */
  columns: number;
  isSame: boolean;
}

/** The properties of a row and of a cell (ECMA-376 part 1, 17.4). */
function readCellProperty(row: DocxRow, name: string, attributes: Record<string, string>): void {
  const value = attribute(attributes, "val");
  if (name === "tblHeader") row.isHeading = value !== "0" && value !== "false";
  else if (name === "gridSpan") row.columns = Number(value ?? 1);
  else if (name === "vMerge") row.isSame = value !== "restart";
}

/** A table within a cell is text of the cell; each paragraph of a cell is a line. */
function endCell(row: DocxRow | undefined, content: string): void {
  if (row === undefined) return;
  row.cells.push(cellMarks(row) + cellText(content));
  row.columns = 1;
  row.isSame = false;
}

/** The text of an element within a run; that of WordArt is an attribute. */
function runText(name: string, attributes: Record<string, string>): string {
  if (name === "textpath") return attribute(attributes, "string") ?? "";
  return ownMember(runContent, name) ?? "";
}

const runContent: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "-",
};

/** The elements that begin another drawing. */
const frames: ReadonlySet<string> = new Set(["drawing", "pict", "object"]);

/**
 * `Fallback` repeats `Choice`; `del` and `moveFrom` hold deleted text; `tabs` defines tab stops
 * with elements of the same name as the tab character; the others are properties of before a
 * change.
 */
const leftOut: ReadonlySet<string> = new Set(
  "Fallback del moveFrom tabs pPrChange tcPrChange trPrChange".split(" "),
);

function isLeftOut(name: string): boolean {
  return leftOut.has(name);
}
