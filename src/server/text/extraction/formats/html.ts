import { Parser } from "htmlparser2";
import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import { decodeText } from "./encoding.ts";
import { limitExceeded } from "../extraction-error.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { metadataFrom } from "./office.ts";

/** Elements whose content is not text for a reader. */
const leftOut = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "select",
  "textarea",
]);
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
 * Reads HTML: what a browser would show as text, a table row a line with its cells parted by tabs.
 */
export async function extractHtml(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
): Promise<DocumentMetadata> {
  const { text, metadata } = htmlToText(decodeText(bytes), limits);
  await writer.flow(text);
  return metadata;
}

/**
 * The text of HTML and what its head says; bounded in depth, never run, nothing it links to is
 * fetched.
 */
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

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > limits.depth)
          throw limitExceeded(`it nests deeper than ${limits.depth} levels`);
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
        else if (name === "td" || name === "th") flow.startCell();
        else if (blocks.has(name)) flow.separate("\n\n");
        else if (lines.has(name)) flow.separate("\n");
        if (name === "pre") preformatted += 1;
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

/** Text in the making: separators wait until text follows, and the strongest of several counts. */
function createFlow() {
  const out: string[] = [];
  let pending = "";
  let cells = 0;
  // A paragraph that opens a cell starts no new line: the cell's tab parts it already.
  let atCellStart = false;
  let hasRowText = false;

  function write(text: string): void {
    if (text === "") return;
    if (out.length > 0) out.push(pending);
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
    /** Runs of blanks are one space, and none stands where a line begins. */
    writeWords(text: string): void {
      const words = text.replace(/[ \t\r\n\f]+/g, " ");
      if (words.startsWith(" ") && pending === "") separate(" ");
      write(words.trim());
      if (words.endsWith(" ") && pending === "") separate(" ");
    },
    startRow(): void {
      cells = 0;
      hasRowText = false;
      separate("\n");
    },
    startCell(): void {
      if (cells > 0) pending = pending === " " ? "\t" : `${pending}\t`;
      cells += 1;
      atCellStart = true;
    },
    endCell(): void {
      atCellStart = false;
      // Nor does a paragraph that closes a cell.
      if (hasRowText && !pending.includes("\t")) pending = "";
    },
    endRow(): void {
      atCellStart = false;
      pending = "\n";
    },
    text: (): string => out.join(""),
  };
}
