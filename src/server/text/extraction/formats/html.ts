import { Parser } from "htmlparser2";
import { metadataFrom, type DocumentMetadata, type FormatReader } from "../extracted-document.ts";
import { decodeText } from "./encoding.ts";
import { tooDeep } from "../extraction-error.ts";
import { cellMarks, marks } from "../../tables/table-marks.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";

const leftOut = new Set(
  "script style noscript template svg math iframe object select textarea".split(" "),
);
/** Elements that begin and end a paragraph. */
const blocks = new Set(
  (
    "address article aside blockquote body caption details dialog div dl fieldset figcaption " +
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section " +
    "summary table ul"
  ).split(" "),
);
/** Elements that begin and end a line. */
const lines = new Set(["li", "tr", "dt", "dd", "option", "legend"]);

/** Reads HTML as a browser shows it: one line per table row, tabs between cells. */
export const extractHtml: FormatReader = async (bytes, limits, writer) => {
  const { text, metadata } = htmlToText(await decodeText(bytes), limits);
  await writer.flow(text);
  return metadata;
};

/** The text of HTML with its tables marked, and its metadata. Runs no scripts, loads no links. */
export function htmlToText(
  html: string,
  limits: ExtractionLimits,
): { text: string; metadata: DocumentMetadata } {
  const flow = createFlow();
  const meta = new Map<string, string>();
  let title = "";
  let depth = 0;
  let skipped = 0;
  let preformatted = 0;
  let inTitle = false;
  let heads = 0;

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > limits.depth) throw tooDeep(limits.depth);
        if (skipped > 0 || leftOut.has(name) || "hidden" in attributes) {
          skipped += 1;
          return;
        }
        if (name === "title") inTitle = true;
        else if (name === "meta") {
          const key = attributes.name ?? attributes.property ?? "";
          if (meta.size < 50) meta.set(key.toLowerCase(), attributes.content ?? "");
        } else if (name === "br") flow.separate("\n");
        else if (name === "tr") flow.startRow();
        else if (name === "td" || name === "th") {
          flow.startCell(
            cellMarks({
              isHeading: name === "th" || heads > 0,
              columns: Number(attributes.colspan ?? 1),
              rows: Number(attributes.rowspan ?? 1),
            }),
          );
        } else if (blocks.has(name)) flow.separate("\n\n");
        else if (lines.has(name)) flow.separate("\n");
        if (name === "pre") preformatted += 1;
        if (name === "table") flow.startTable();
        if (name === "thead") heads += 1;
      },
      onclosetag(name) {
        depth -= 1;
        if (skipped > 0) {
          skipped -= 1;
          return;
        }
        if (name === "title") inTitle = false;
        else if (name === "tr") flow.endRow();
        else if (name === "td" || name === "th") flow.endCell();
        else if (blocks.has(name)) flow.separate("\n\n");
        else if (lines.has(name)) flow.separate("\n");
        if (name === "pre") preformatted -= 1;
        if (name === "table") flow.endTable();
        if (name === "thead") heads -= 1;
      },
      ontext(text) {
        if (skipped > 0) return;
        if (inTitle) title += text;
        else if (preformatted > 0) flow.write(text);
        else flow.writeWords(text);
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  parser.end();
  const created = meta.get("dcterms.created") ?? meta.get("article:published_time");
  return {
    text: flow.text(),
    metadata: metadataFrom(title.replace(/\s+/g, " "), meta.get("author"), created),
  };
}

type Separator = " " | "\n" | "\n\n";

/** Collects text. A separator waits until text follows; the strongest one counts. */
function createFlow() {
  const out: string[] = [];
  let pending = "";
  let cells = 0;
  // A paragraph at a cell's start begins no new line, because the cell begins with a tab.
  let atCellStart = false;
  let hasRowText = false;
  /** For each open table, whether its next row is the first. */
  const firsts: boolean[] = [];
  /** The mark of a row or of a table's end, which waits for text. */
  let mark = "";

  function write(text: string): void {
    if (text === "") return;
    if (mark !== "") {
      const line = pending.lastIndexOf("\n") + 1;
      pending = pending.slice(0, line) + mark + pending.slice(line);
      if (mark !== marks.end) firsts[firsts.length - 1] = false;
      mark = "";
    }
    out.push(out.length > 0 ? pending : pending.trimStart());
    pending = "";
    atCellStart = false;
    hasRowText = true;
    out.push(text);
  }
  function separate(separator: Separator): void {
    if (atCellStart) return;
    const isStronger = pending === "" || pending === " " || separator.length > pending.length;
    if (isStronger) pending = separator;
  }
  return {
    write,
    separate,
    /** Runs of blanks become one space, and no line begins with one. */
    writeWords(text: string): void {
      const words = text.replace(/[ \t\r\n\f]+/g, " ");
      if (words.startsWith(" ") && pending === "") separate(" ");
      write(words.trim());
      if (words.endsWith(" ") && pending === "") separate(" ");
    },
    startTable(): void {
      if (firsts.length > 0) {
        // A table within a cell has its own lines.
        atCellStart = false;
        pending = "\n";
      }
      firsts.push(true);
    },
    /** The rows of the table around this one are then another table. */
    endTable(): void {
      firsts.pop();
      if (firsts.length > 0) firsts[firsts.length - 1] = true;
      mark = marks.end;
    },
    startRow(): void {
      cells = 0;
      hasRowText = false;
      separate("\n");
      const isFirst = firsts.at(-1);
      if (isFirst !== undefined) mark = `${isFirst ? marks.table : ""}${marks.row}`;
    },
    startCell(cellMark: string): void {
      if (cells > 0) pending = pending === " " ? "\t" : `${pending}\t`;
      if (firsts.length > 0) pending += cellMark;
      cells += 1;
      atCellStart = true;
    },
    endCell(): void {
      atCellStart = false;
      // A paragraph at a cell's end begins no new line either.
      if (hasRowText && !pending.includes("\t")) pending = "";
    },
    endRow(): void {
      atCellStart = false;
      pending = "\n";
    },
    text: (): string => out.join(""),
  };
}
