import { ownMember } from "#lib/own-member.ts";
import type { FormatReader } from "../extracted-document.ts";
import { OfficePackage } from "./office.ts";

const otherParts = ["footnotes", "endnotes", "comments", "header", "footer"];

/**
 * Reads a DOCX, which has no pages: paragraphs, tables (one line per row, tabs between cells), text
 * boxes, notes, comments, each header and footer once. Leaves out deleted text of tracked changes.
 */
export const extractDocx: FormatReader = async (bytes, limits, writer) => {
  const file = new OfficePackage(bytes, limits, "Word document");
  const texts = [readStory(file, file.part(file.main))];
  const related = [...file.relationships(file.main).values()];
  for (const type of otherParts) {
    for (const relationship of related.filter((each) => each.type === type)) {
      const part = file.optionalPart(relationship.target);
      const text = part === null ? "" : readStory(file, part).trim();
      if (text !== "" && !texts.includes(text)) texts.push(text);
    }
  }
  await writer.flow(texts.join("\n\n"));
  return file.metadata();
};

/** The text of one part (ECMA-376 part 1, 17): body, notes, header or footer. */
function readStory(file: OfficePackage, bytes: Uint8Array): string {
  // Text goes to the innermost buffer: the story, a table cell or a text box.
  const buffers: string[][] = [[]];
  const rows: string[][] = [];
  const boxes: string[] = [];
  let skipped = 0;
  let runs = 0;
  let inText = false;
  let isListItem = false;
  let paragraphs = 0;

  const write = (text: string): void => void buffers.at(-1)?.push(text);
  const take = (): string => buffers.pop()?.join("") ?? "";

  function open(name: string): void {
    if (isLeftOut(name)) skipped += 1;
    if (skipped > 0) return;
    if (name === "p") {
      paragraphs += 1;
      isListItem = false;
    } else if (name === "numPr") isListItem = true;
    else if (name === "r") runs += 1;
    else if (name === "t") inText = true;
    else if (name === "tr") rows.push([]);
    else if (name === "tc" || name === "txbxContent") buffers.push([]);
    else if (runs > 0) write(ownMember(runContent, name) ?? "");
  }

  function close(name: string): void {
    if (isLeftOut(name)) skipped -= 1;
    if (skipped > 0) return;
    if (name === "p") {
      paragraphs -= 1;
      write(isListItem ? "\n" : "\n\n");
      if (paragraphs === 0) write(boxes.splice(0).join(""));
    } else if (name === "r") runs -= 1;
    else if (name === "t") inText = false;
    else if (name === "tc") rows.at(-1)?.push(take().trim().replace(/\s+/g, " "));
    else if (name === "tr") write(`${(rows.pop() ?? []).join("\t")}\n`);
    else if (name === "tbl") write("\n");
    else if (name === "txbxContent") boxes.push(`${take().trim()}\n\n`);
  }

  const text = (value: string): void => {
    if (inText && skipped === 0) write(value);
  };
  file.readXml(bytes, { open, close, text });
  return buffers.flat().join("");
}

const runContent: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "-",
};

/**
 * `Fallback` repeats `Choice`; `del` and `moveFrom` hold deleted text; `tabs` defines tab stops
 * with elements of the same name as the tab character.
 */
function isLeftOut(name: string): boolean {
  return name === "Fallback" || name === "del" || name === "moveFrom" || name === "tabs";
}
