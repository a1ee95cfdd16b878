import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { strToU8, type Zippable, zipSync } from "fflate";
import { ExtractionError } from "#server/text/extraction/extraction-error.ts";
import { extractText, type ExtractionOptions } from "#server/text/extraction/extract-text.ts";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";

/**
 * Runs `work` with the path of a temporary file with `content`, and removes it whatever
 * happens.
 */
export async function withFile<Result>(
  content: string | Uint8Array,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "svc-extraction-"));
  try {
    const path = join(folder, "document");
    await Bun.write(path, content);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Extracts the text of a file with this content. */
export async function extract(
  content: string | Uint8Array,
  options: ExtractionOptions = { filename: "file" },
): Promise<ExtractedDocument> {
  return await withFile(content, (path) => extractText(path, options));
}

/** The ExtractionError of `work`; any other result fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<ExtractionError> {
  const outcome = await work.then(
    () => "it succeeded",
    (error: unknown) => error,
  );
  if (outcome instanceof ExtractionError) return outcome;
  throw new Error(`expected an ExtractionError, got ${String(outcome)}`);
}

/** A zip of these entries, packed as fflate packs it. */
export function makeZip(entries: Record<string, string | Uint8Array>): Uint8Array {
  const zippable: Zippable = {};
  for (const [name, content] of Object.entries(entries)) {
    zippable[name] = typeof content === "string" ? strToU8(content) : content;
  }
  return zipSync(zippable);
}

const relationshipType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function relationships(list: readonly [id: string, type: string, target: string][]): string {
  const each = list.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${relationshipType}/${type}" Target="${target}"/>`,
  );
  return `<Relationships>${each.join("")}</Relationships>`;
}

/** A DOCX whose body is this WordprocessingML; `more` adds or replaces parts. */
export function makeDocx(body: string, more: Record<string, string | Uint8Array> = {}): Uint8Array {
  return makeZip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relationships([["r1", "officeDocument", "word/document.xml"]]),
    "word/document.xml": `<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

/** The relationships part of a DOCX's document. */
export function docxRelationships(list: readonly [string, string, string][]): string {
  return relationships(list);
}

/** Returns one paragraph of WordprocessingML. */
export function paragraph(text: string): string {
  return `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

/**
 * An XLSX of sheets given as SpreadsheetML rows; strings and styles are the inside of their parts,
 * and `more` adds parts.
 */
export function makeXlsx(
  sheets: Record<string, string>,
  parts: { strings?: string; styles?: string; workbook?: string } = {},
  more: Record<string, Uint8Array> = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const listed = names.map((name, index) => `<sheet name="${name}" r:id="s${index}"/>`);
  const entries: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relationships([["r1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml":
      `<workbook>${parts.workbook ?? ""}` + `<sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ...names.map((_, index): [string, string, string] => [
        `s${index}`,
        "worksheet",
        `worksheets/sheet${index}.xml`,
      ]),
      ["strings", "sharedStrings", "sharedStrings.xml"],
      ["styles", "styles", "/xl/styles.xml"],
    ]),
    "xl/sharedStrings.xml": `<sst>${parts.strings ?? ""}</sst>`,
    "xl/styles.xml": `<styleSheet>${parts.styles ?? ""}</styleSheet>`,
  };
  names.forEach((name, index) => {
    entries[`xl/worksheets/sheet${index}.xml`] =
      `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`;
  });
  return makeZip({ ...entries, ...more });
}

/** A PDF object's dictionary and, for a stream, its bytes. */
type PdfObject = { dictionary: string; stream?: Uint8Array };

/** A PDF of these objects, numbered from 1 in order; the first is the catalog. */
export function makePdfOf(objects: readonly PdfObject[], trailer = ""): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  let length = parts[0]!.length;
  const offsets: number[] = [];
  const add = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach(({ dictionary, stream }, index) => {
    offsets.push(length);
    add(Buffer.from(`${index + 1} 0 obj\n`));
    if (stream === undefined) add(Buffer.from(`<<${dictionary}>>`));
    else {
      add(Buffer.from(`<<${dictionary} /Length ${stream.length}>>\nstream\n`));
      add(Buffer.from(stream));
      add(Buffer.from("\nendstream"));
    }
    add(Buffer.from("\nendobj\n"));
  });
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = objects.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`));
  add(
    Buffer.from(`trailer\n<</Size ${size} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

/** A page's content stream with these lines from the top, 14 points apart. */
export function pdfLines(lines: readonly string[]): string {
  const shown = lines.map((line, index) => {
    const escaped = line.replace(/[\\()]/g, "\\$&");
    return `${index === 0 ? "72 760 Td" : "0 -14 Td"} (${escaped}) Tj`;
  });
  return `BT /F1 11 Tf ${shown.join("\n")} ET`;
}

/** A PDF with a page for each content stream, set in Helvetica. */
export function makePdf(
  contents: readonly string[],
  options: { information?: string; filter?: (content: Buffer) => [string, Uint8Array] } = {},
): Uint8Array {
  const filter =
    options.filter ??
    ((content: Buffer) => ["/Filter /FlateDecode", deflateSync(content)] as const);
  const pages = contents.map((_, index) => `${5 + index * 2} 0 R`);
  const objects: PdfObject[] = [
    { dictionary: "/Type /Catalog /Pages 2 0 R" },
    { dictionary: `/Type /Pages /Kids [${pages.join(" ")}] /Count ${pages.length}` },
    { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding" },
    { dictionary: options.information ?? "" },
  ];
  contents.forEach((content, index) => {
    const [dictionary, stream] = filter(Buffer.from(content, "latin1"));
    objects.push(
      {
        dictionary:
          `/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ` +
          `/Resources <</Font <</F1 3 0 R>>>> /Contents ${6 + index * 2} 0 R`,
      },
      { dictionary, stream },
    );
  });
  return makePdfOf(objects, "/Info 4 0 R");
}

/** A PDF with one text, in hexadecimal bytes of a predefined character map, without its font. */
export function makeEncodedPdf(map: string, collection: string, hex: string): Uint8Array {
  const [registry, ordering] = collection.split("-");
  const information = `<</Registry (${registry}) /Ordering (${ordering}) /Supplement 2>>`;
  return makePdfOf([
    { dictionary: "/Type /Catalog /Pages 2 0 R" },
    { dictionary: "/Type /Pages /Kids [5 0 R] /Count 1" },
    {
      dictionary:
        `/Type /Font /Subtype /Type0 /BaseFont /Unknown /Encoding /${map} ` +
        "/DescendantFonts [4 0 R]",
    },
    {
      dictionary: `/Type /Font /Subtype /CIDFontType0 /BaseFont /Unknown /CIDSystemInfo ${information}`,
    },
    {
      dictionary:
        "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] " +
        "/Resources <</Font <</F1 3 0 R>>>> /Contents 6 0 R",
    },
    { dictionary: "", stream: Buffer.from(`BT /F1 12 Tf 72 700 Td <${hex}> Tj ET`) },
  ]);
}
