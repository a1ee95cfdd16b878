import { ownMember } from "#lib/own-member.ts";
import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { mainPart, readCoreProperties, readPart, readRelationships } from "./office.ts";
import { readXml } from "./xml.ts";
import { openZip } from "./zip.ts";

const what = "Word document";
/** Parts that are read after the body, in this order. */
const otherParts = ["footnotes", "endnotes", "comments", "header", "footer"];

/**
 * Reads a DOCX: paragraphs, tables (a row a line, cells parted by tabs), text boxes, notes,
 * comments, and headers and footers once. Deleted and moved-away text of tracked changes is left
 * out. The format has no pages of its own.
 */
export async function extractDocx(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
): Promise<DocumentMetadata> {
  const archive = openZip(bytes, limits, what);
  const main = mainPart(archive, limits, what);
  const texts = [readStory(readPart(archive, main, what), limits)];
  const related = [...readRelationships(archive, main, limits, what).values()];
  for (const type of otherParts) {
    for (const relationship of related.filter((each) => each.type === type)) {
      const part = archive.read(relationship.target);
      const text = part === null ? "" : readStory(part, limits).trim();
      if (text !== "" && !texts.includes(text)) texts.push(text);
    }
  }
  await writer.flow(texts.join("\n\n"));
  return readCoreProperties(archive, limits, what);
}

/** The text of one part (ECMA-376 part 1, 17): body, notes, header or footer. */
function readStory(bytes: Uint8Array, limits: ExtractionLimits): string {
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
  readXml(bytes, { open, close, text }, limits, what);
  return buffers.flat().join("");
}

/** Elements within a run that stand for characters. */
const runContent: Readonly<Record<string, string>> = {
  tab: "\t",
  ptab: "\t",
  br: "\n",
  cr: "\n",
  noBreakHyphen: "-",
};

/**
 * `Fallback` repeats what `Choice` says; `del` and `moveFrom` hold what is no longer in the text;
 * `tabs` defines tab stops with elements that are called like the tab character.
 */
function isLeftOut(name: string): boolean {
  return name === "Fallback" || name === "del" || name === "moveFrom" || name === "tabs";
}
