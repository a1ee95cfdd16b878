import type { FormatReader } from "../extracted-document.ts";
import { markedRow, marks } from "../../tables/table-marks.ts";
import { OfficePackage } from "./office.ts";
import { attribute } from "./xml.ts";

/**
 * Reads a PPTX: one page per slide in the order of the show, with its tables (one line per row,
 * tabs between cells) and the speaker's notes. Hidden slides are read too.
 */
export const extractPptx: FormatReader = async (bytes, limits, writer) => {
  const file = new OfficePackage(bytes, limits, "PowerPoint presentation");
  const related = file.relationships(file.main);
  const slides: string[] = [];
  file.readXml(file.part(file.main), {
    open(name, attributes) {
      if (name !== "sldId") return;
      // A slide has an `id` without a prefix too, which is no relationship.
      const key = Object.keys(attributes).find((each) => each.endsWith(":id")) ?? "id";
      const target = related.get(attribute(attributes, key) ?? "");
      if (target?.type === "slide") slides.push(target.target);
    },
  });
  for (const [index, slide] of slides.entries()) {
    const notes = [...file.relationships(slide).values()].find(({ type }) => type === "notesSlide");
    const part = notes === undefined ? null : file.optionalPart(notes.target);
    const texts = [slideText(file, file.part(slide)), part === null ? "" : slideText(file, part)];
    await writer.page(texts.filter((text) => text !== "").join("\n\n"));
    await writer.progress(index + 1, slides.length);
  }
  return file.metadata();
};

/** The text of a slide or its notes (ECMA-376 part 1, 21.1.2). */
function slideText(file: OfficePackage, bytes: Uint8Array): string {
  const lines: string[] = [];
  let line = "";
  let row: string[] | null = null;
  let cell: string[] | null = null;
  let inText = false;
  let fields = 0;
  let rowsOfTable = 0;
  /** The end of a table, which waits for the text after it. */
  let ended = "";
  const endParagraph = (): void => {
    const text = line.trim();
    line = "";
    if (text === "") return;
    if (cell === null) lines.push(`${ended}${text}`);
    else cell.push(text.replace(/\s+/g, " "));
    if (cell === null) ended = "";
  };
  file.readXml(bytes, {
    open(name) {
      // The fields of notes are the slide's number and the date.
      if (name === "fld") fields += 1;
      else if (name === "t") inText = fields === 0;
      else if (name === "br") line += "\n";
      else if (name === "tab") line += "\t";
      else if (name === "tbl") rowsOfTable = 0;
      else if (name === "tr") row = [];
      else if (name === "tc") cell = [];
    },
    close(name) {
      if (name === "fld") fields -= 1;
      else if (name === "t") inText = false;
      else if (name === "p") endParagraph();
      else if (name === "tc") {
        row?.push((cell ?? []).join(" "));
        cell = null;
      } else if (name === "tr") {
        lines.push(markedRow(row ?? [], rowsOfTable === 0));
        rowsOfTable += 1;
        row = null;
      } else if (name === "tbl") ended = marks.end;
    },
    text(value) {
      if (inText) line += value;
    },
  });
  return `${lines.join("\n")}${ended}`;
}
