import { Parser } from "htmlparser2";
import { metadataFrom, type DocumentMetadata, type FormatReader } from "../extracted-document.ts";
import { WebNumbers } from "./numbering/web-numbers.ts";
import { alternativeText } from "./pictures/alternative-text.ts";
import { shapesWithoutText } from "./pictures/drawn-shapes.ts";
import { writePictures, type EmbeddedPicture } from "./pictures/embedded-pictures.ts";
import { decodeText } from "./encoding.ts";
import { tooDeep } from "../extraction-error.ts";
import { cellMarks, marks } from "../../tables/table-marks.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";

const leftOut = new Set(
  "script style noscript template svg annotation annotation-xml iframe object select textarea".split(
    " ",
  ),
);
/** Classes of formulas for screen readers, which repeat the text that is next to them. */
const repeated = /^(?:katex-mathml|MJX_Assistive_MathML)\b/;
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

/**
 * Reads HTML as a browser shows it: one line per table row, tabs between cells, the numbers of
 * lists and the alternative texts of pictures.
 */
export const extractHtml: FormatReader = async (bytes, limits, writer) => {
  const html = await decodeText(bytes);
  const { text, metadata } = htmlToText(html, limits);
  await writer.flow(text);
  const pictures = await writePictures(writer, picturesOf(html));
  const isEmpty = text.trim() === "" && pictures === 0;
  if (isEmpty && /<(?:img|svg|canvas)\b/i.test(html)) writer.leaveOut(shapesWithoutText);
  return metadata;
};

const dataAddress =
  /\bsrc\s*=\s*["']data:image\/([a-z+]{2,8});base64,([A-Za-z0-9+/=\s]{500,})["']/gi;

/** The pictures that HTML has within itself, as data addresses. */
export function* picturesOf(html: string): Generator<EmbeddedPicture, void, void> {
  let count = 0;
  for (const [, kind = "", data = ""] of html.matchAll(dataAddress)) {
    count += 1;
    yield { name: `${count}.${kind}`, bytes: Buffer.from(data, "base64") };
  }
}

/** The text of HTML with its tables marked, and its metadata. Runs no scripts, loads no links. */
export function htmlToText(
  html: string,
  limits: ExtractionLimits,
): { text: string; metadata: DocumentMetadata } {
  const flow = new Flow();
  const meta = new Map<string, string>();
  let title = "";
  let depth = 0;
  let skipped = 0;
  let preformatted = 0;
  let inTitle = false;

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > limits.depth) throw tooDeep(limits.depth);
        const isUnread = "hidden" in attributes || repeated.test(attributes.class ?? "");
        if (skipped > 0 || leftOut.has(name) || isUnread) {
          skipped += 1;
          return;
        }
        if (name === "title") inTitle = true;
        else if (name === "meta") {
          const key = attributes.name ?? attributes.property ?? "";
          if (meta.size < 50) meta.set(key.toLowerCase(), attributes.content ?? "");
        } else flow.startElement(name, attributes);
        if (name === "pre") preformatted += 1;
      },
      onclosetag(name) {
        depth -= 1;
        if (skipped > 0) {
          skipped -= 1;
          return;
        }
        if (name === "title") inTitle = false;
        else flow.endElement(name);
        if (name === "pre") preformatted -= 1;
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
    text: flow.text,
    metadata: metadataFrom(title.replace(/\s+/g, " "), meta.get("author"), created),
  };
}

type Separator = " " | "\n" | "\n\n";

/** Collects text. A separator waits until text follows; the strongest one counts. */
class Flow {
  readonly #out: string[] = [];
  #pending = "";
  #heads = 0;
  #cells = 0;
  /** A paragraph at a cell's start begins no new line, because the cell begins with a tab. */
  #isAtCellStart = false;
  #hasRowText = false;
  /** For each open table, whether its next row is the first. */
  readonly #firsts: boolean[] = [];
  /** The mark of a row or of a table's end, which waits for text. */
  #mark = "";
  readonly #numbers = new WebNumbers();
  /** The number of an item, which waits for its text. */
  #number = "";

  get text(): string {
    return this.#out.join("");
  }

  write(text: string): void {
    if (text === "") return;
    if (this.#mark !== "") {
      const line = this.#pending.lastIndexOf("\n") + 1;
      this.#pending = this.#pending.slice(0, line) + this.#mark + this.#pending.slice(line);
      if (this.#mark !== marks.end) this.#firsts[this.#firsts.length - 1] = false;
      this.#mark = "";
    }
    const before = this.#out.length > 0 ? this.#pending : this.#pending.trimStart();
    this.#out.push(before, this.#number, text);
    this.#number = "";
    this.#pending = "";
    this.#isAtCellStart = false;
    this.#hasRowText = true;
  }

  /** Runs of blanks become one space, and no line begins with one. */
  writeWords(text: string): void {
    const words = text.replace(/[ \t\r\n\f]+/g, " ");
    if (words.startsWith(" ") && this.#pending === "") this.#separate(" ");
    this.write(words.trim());
    if (words.endsWith(" ") && this.#pending === "") this.#separate(" ");
  }

  startElement(name: string, attributes: Record<string, string>): void {
    const { colspan = "1", rowspan = "1" } = attributes;
    if (name === "br") this.#separate("\n");
    else if (name === "tr") this.#startRow();
    else if (name === "td" || name === "th") {
      const isHeading = name === "th" || this.#heads > 0;
      const spans = { columns: Number(colspan), rows: Number(rowspan) };
      this.#startCell(cellMarks({ isHeading, ...spans }));
    } else this.#separateAt(name);
    if (name === "table") this.#startTable();
    if (name === "thead") this.#heads += 1;
    const number = this.#numbers.open(name, attributes);
    if (name === "li") this.#number = number;
    if (name === "img") this.#writePicture(attributes);
  }

  endElement(name: string): void {
    if (name === "tr") {
      this.#isAtCellStart = false;
      this.#pending = "\n";
    } else if (name === "td" || name === "th") {
      this.#isAtCellStart = false;
      // A paragraph at a cell's end begins no new line either.
      if (this.#hasRowText && !this.#pending.includes("\t")) this.#pending = "";
    } else this.#separateAt(name);
    if (name === "table") this.#endTable();
    if (name === "thead") this.#heads -= 1;
    if (name === "li") this.#number = "";
    this.#numbers.close(name);
  }

  /** A picture without its file shows its alternative text. */
  #writePicture({ alt, role, "aria-hidden": hidden }: Readonly<Record<string, string>>): void {
    if (role === "presentation" || hidden === "true") return;
    const text = alternativeText(alt);
    if (text !== "") this.writeWords(` ${text} `);
  }

  #separateAt(element: string): void {
    if (blocks.has(element)) this.#separate("\n\n");
    else if (lines.has(element)) this.#separate("\n");
  }

  #separate(separator: Separator): void {
    if (this.#isAtCellStart) return;
    const pending = this.#pending;
    const isStronger = pending === "" || pending === " " || separator.length > pending.length;
    if (isStronger) this.#pending = separator;
  }

  #startTable(): void {
    if (this.#firsts.length > 0) {
      // A table within a cell has its own lines.
      this.#isAtCellStart = false;
      this.#pending = "\n";
    }
    this.#firsts.push(true);
  }

  /** The rows of the table around this one are then another table. */
  #endTable(): void {
    this.#firsts.pop();
    if (this.#firsts.length > 0) this.#firsts[this.#firsts.length - 1] = true;
    this.#mark = marks.end;
  }

  #startRow(): void {
    this.#cells = 0;
    this.#hasRowText = false;
    this.#separate("\n");
    const isFirst = this.#firsts.at(-1);
    if (isFirst !== undefined) this.#mark = `${isFirst ? marks.table : ""}${marks.row}`;
  }

  #startCell(cellMark: string): void {
    if (this.#cells > 0) this.#pending = this.#pending === " " ? "\t" : `${this.#pending}\t`;
    if (this.#firsts.length > 0) this.#pending += cellMark;
    this.#cells += 1;
    this.#isAtCellStart = true;
  }
}
