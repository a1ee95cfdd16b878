import {
  createPageWriter,
  type DocumentMetadata,
  type ExtractedDocument,
  type FormatReader,
  type PagePicture,
  type PageText,
  type PageWriter,
} from "./extracted-document.ts";
import { ExtractionError, limitExceeded, toExtractionError, tooDeep } from "./extraction-error.ts";
import { defaultLimits, type ExtractionLimits } from "./extraction-limits.ts";
import { detectKind, type DocumentKind, mediaTypes } from "./document-kind.ts";
import { given } from "#lib/given.ts";
import { isTooDeep } from "#lib/json/scan.ts";
import type { FileReader } from "./formats/embedded/embedded-files.ts";
import { decodeText } from "./formats/encoding.ts";
import { directoriesOf, makeFirst } from "../ocr/tiff-directories.ts";

export type ExtractionOptions = {
  /** The name that the client sent; it decides between kinds of text. */
  filename: string;
  /** The type that the client sent; it decides only if the file name does not. */
  mediaType?: string;
  limits?: Partial<ExtractionLimits>;
  /** Receives each page as soon as it is read; the result then has no pages. */
  onPage?(page: PageText, picture?: () => Promise<PagePicture>): Promise<void> | void;
  onProgress?(done: number, total: number): Promise<void> | void;
};

/**
 * Reads the text of a document in this process, page by page. Throws ExtractionError only. For
 * untrusted files use extractInChild().
 */
export async function extractText(
  path: string,
  options: ExtractionOptions,
): Promise<ExtractedDocument> {
  const limits = { ...defaultLimits, ...options.limits };
  const pages: PageText[] = [];
  const warnings: string[] = [];
  let leftOut: string | undefined;
  const writer = createPageWriter(limits, {
    page: (page, picture) => {
      if (options.onPage !== undefined) return options.onPage(page, picture);
      pages.push(page);
    },
    progress: (done, total) => options.onProgress?.(done, total),
    warning: (message) => {
      warnings.push(message);
    },
    leftOut: (message) => {
      leftOut ??= message;
    },
  });
  const bytes = await readFile(path, limits);
  const file = { filename: options.filename, mediaType: options.mediaType ?? "" };
  const { kind, metadata } = await readDocument(bytes, file, limits, writer, 0);
  return {
    mediaType: mediaTypes[kind],
    pages,
    metadata,
    warnings,
    unreadPages: [],
    ...given({ leftOut }),
  };
}

async function readFile(path: string, limits: ExtractionLimits): Promise<Uint8Array> {
  const file = Bun.file(path);
  const { size } = await file.stat();
  if (size === 0) {
    throw new ExtractionError("empty-file", "This file is empty: it has 0 bytes.");
  }
  if (size > limits.fileBytes) {
    const mebibytes = Math.floor(limits.fileBytes / 1024 / 1024);
    throw limitExceeded(`it is larger than the ${mebibytes} MiB up to which text is read`);
  }
  return await file.bytes();
}

async function readDocument(
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
  limits: ExtractionLimits,
  writer: PageWriter,
  depth: number,
): Promise<{ kind: DocumentKind; metadata: DocumentMetadata }> {
  const kind = await detectKind(bytes, file, limits);
  try {
    const read = await readers[kind](depth);
    return { kind, metadata: await read(bytes, limits, writer) };
  } catch (error) {
    throw toExtractionError(error, names[kind]);
  }
}

async function openDocument(): Promise<FormatReader> {
  return (await import("./formats/open/opendocument.ts")).extractOpenDocument;
}

async function flatOpenDocument(): Promise<FormatReader> {
  return (await import("./formats/open/opendocument.ts")).extractFlatOpenDocument;
}

/** Loads a reader on first use, because most documents do not need the PDF library. */
const readers: Readonly<Record<DocumentKind, (depth: number) => Promise<FormatReader>>> = {
  pdf: async (depth) => withFiles((await import("./formats/pdf/pdf.ts")).extractPdf, depth),
  docx: async (depth) => {
    const { extractDocx } = await import("./formats/docx.ts");
    return (bytes, limits, writer) =>
      extractDocx(bytes, limits, writer, {
        textOf: (content, file) => textOfPart(content, file, limits, writer, depth + 1),
        read: (content, file) => readAttachment(content, file, limits, writer, depth + 1),
      });
  },
  xlsx: async (depth) => withFiles((await import("./formats/xlsx.ts")).extractXlsx, depth),
  pptx: async (depth) => withFiles((await import("./formats/pptx.ts")).extractPptx, depth),
  odt: openDocument,
  ods: openDocument,
  odp: openDocument,
  odg: openDocument,
  fodt: flatOpenDocument,
  fods: flatOpenDocument,
  fodp: flatOpenDocument,
  fodg: flatOpenDocument,
  epub: async () => (await import("./formats/open/epub.ts")).extractEpub,
  rtf: async (depth) => withFiles((await import("./formats/rtf.ts")).extractRtf, depth),
  json: async () => extractJson,
  html: async () => (await import("./formats/html.ts")).extractHtml,
  markdown: async () => (await import("./formats/plain-text.ts")).extractMarkdown,
  csv: async () => (await import("./formats/plain-text.ts")).extractCsv,
  svg: async () => (await import("./formats/open/xml-text.ts")).extractDrawing,
  xml: async () => (await import("./formats/open/xml-text.ts")).extractXml,
  text: async () => (await import("./formats/plain-text.ts")).extractPlainText,
  png: async () => extractImage,
  jpeg: async () => extractImage,
  tiff: async () => extractTiff,
  webp: async () => extractImage,
  bmp: async () => extractImage,
  email: (depth) => mailReader(depth, "extractEmail"),
  outlook: (depth) => mailReader(depth, "extractOutlookMessage"),
  winmail: (depth) => mailReader(depth, "extractMailPart"),
  smime: (depth) => mailReader(depth, "extractMailPart"),
};

async function mailReader(
  depth: number,
  name: "extractEmail" | "extractMailPart" | "extractOutlookMessage",
): Promise<FormatReader> {
  const { [name]: read } = await import("./formats/email.ts");
  return withFiles(read, depth);
}

/** A reader of a format within which there may be files. */
function withFiles(
  read: (...all: [...Parameters<FormatReader>, FileReader]) => ReturnType<FormatReader>,
  depth: number,
): FormatReader {
  return (bytes, limits, writer) =>
    read(bytes, limits, writer, (content, file) =>
      readAttachment(content, file, limits, writer, depth + 1),
    );
}

const names: Readonly<Record<DocumentKind, string>> = {
  pdf: "PDF",
  docx: "Word document",
  xlsx: "Excel workbook",
  pptx: "PowerPoint presentation",
  odt: "OpenDocument text",
  ods: "OpenDocument spreadsheet",
  odp: "OpenDocument presentation",
  odg: "OpenDocument drawing",
  fodt: "OpenDocument text",
  fods: "OpenDocument spreadsheet",
  fodp: "OpenDocument presentation",
  fodg: "OpenDocument drawing",
  epub: "EPUB book",
  rtf: "rich text file",
  json: "JSON file",
  html: "web page",
  email: "e-mail message",
  outlook: "message of Outlook",
  winmail: "message of Outlook (winmail.dat)",
  smime: "signed message (S/MIME)",
  markdown: "Markdown file",
  csv: "CSV file",
  svg: "drawing",
  xml: "XML file",
  text: "text file",
  png: "picture",
  jpeg: "picture",
  tiff: "picture",
  webp: "picture",
  bmp: "picture",
};

/** An unreadable attachment adds a warning; an exceeded limit refuses the whole message. */
async function readAttachment(
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
  limits: ExtractionLimits,
  writer: PageWriter,
  depth: number,
): Promise<void> {
  if (depth > limits.attachmentDepth) {
    writer.leaveOut(`The attachment ${file.filename} is nested too deep and was not read.`);
    return;
  }
  if (bytes.length === 0) {
    writer.warn(`The attachment ${file.filename} is empty.`);
    return;
  }
  try {
    await readDocument(bytes, file, limits, writer, depth);
  } catch (error) {
    if (!(error instanceof ExtractionError) || !attachmentOnly.has(error.code)) throw error;
    writer.leaveOut(`The attachment ${file.filename} was not read. ${error.message}`);
  }
}

/** The text of a document within another one, at its place in that; warnings are passed on. */
async function textOfPart(
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
  limits: ExtractionLimits,
  writer: PageWriter,
  depth: number,
): Promise<string> {
  const texts: string[] = [];
  const inner = createPageWriter(limits, {
    page: ({ text }) => {
      texts.push(text);
    },
    warning: (message) => writer.warn(message),
  });
  inner.leaveOut = (message) => writer.leaveOut(message);
  await readAttachment(bytes, file, limits, inner, depth);
  return texts.join("\n\n");
}

const attachmentOnly: ReadonlySet<string> = new Set(["corrupt", "encrypted", "unsupported"]);

/** A picture is one page without text; its text is recognised later. */
const extractImage: FormatReader = async (bytes, _limits, writer) => {
  await writer.page("", async () => ({ kind: "picture", bytes }));
  await writer.progress(1, 1);
  return {};
};

/** Reads JSON as one line per value, `name.inner[0]: value`, so that names and values are found. */
const extractJson: FormatReader = async (bytes, limits, writer) => {
  const text = await decodeText(bytes);
  if (isTooDeep(text)) throw tooDeep(limits.depth);
  const lines: string[] = [];
  try {
    addLines(JSON.parse(text), "", lines);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Several values, one per line, or a file with comments.
    writer.warn("This file is not one JSON value; its text was read as it is.");
    lines.push(text);
  }
  await writer.flow(lines.join("\n"));
  return {};
};

function addLines(value: unknown, name: string, lines: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) addLines(item, `${name}[${index}]`, lines);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      addLines(item, name === "" ? key : `${name}.${key}`, lines);
    }
  } else if (value !== null && value !== "") {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    lines.push(name === "" ? text : `${name}: ${text}`);
  }
}

const kindOfPicture = 254;
/** A small copy of another picture. */
const reduced = 1;

/**
 * Each picture of the file is a page without text; its text is recognised later. The picture of a
 * page is the file with that page first, without a copy: it is valid until the next one is read.
 */
const extractTiff: FormatReader = async (bytes, limits, writer) => {
  // One more than the limit, for which the writer refuses the file.
  const pages = directoriesOf(bytes, limits.pages + 1).filter(
    (directory) => ((directory.valueOf(kindOfPicture) ?? 0) & reduced) === 0,
  );
  const total = Math.max(1, pages.length);
  for (let index = 0; index < total; index += 1) {
    const page = pages[index];
    await writer.page("", async () => {
      if (page !== undefined) makeFirst(bytes, page);
      return { kind: "picture", bytes };
    });
    await writer.progress(index + 1, total);
  }
  return {};
};
