import {
  createPageWriter,
  type DocumentMetadata,
  type ExtractedDocument,
  type PageText,
  type PageWriter,
} from "./extracted-document.ts";
import { ExtractionError, limitExceeded, toExtractionError } from "./extraction-error.ts";
import { defaultLimits, type ExtractionLimits } from "./extraction-limits.ts";
import { detectKind, type DocumentKind, mediaTypes } from "./document-kind.ts";

/** What is known of the file besides its bytes, and where its pages go while it is read. */
export type ExtractionOptions = {
  /** The name that the sender gave; tells apart kinds of text that look alike. */
  filename: string;
  /** The media type that the sender gave; the last to be asked. */
  mediaType?: string;
  limits?: Partial<ExtractionLimits>;
  /** Takes each page as soon as it is read; the pages are then not in the result. */
  onPage?(page: PageText): Promise<void> | void;
  onProgress?(done: number, total: number): Promise<void> | void;
};

/**
 * Reads the text of a document file, page by page. The kind is told from the bytes first. Every
 * failure is an ExtractionError. Reads in this process: use extractInChild() for files that come
 * from outside.
 */
export async function extractText(
  path: string,
  options: ExtractionOptions,
): Promise<ExtractedDocument> {
  const limits = { ...defaultLimits, ...options.limits };
  const pages: PageText[] = [];
  const warnings: string[] = [];
  const writer = createPageWriter(limits, {
    page: (page) => {
      if (options.onPage !== undefined) return options.onPage(page);
      pages.push(page);
    },
    progress: (done, total) => options.onProgress?.(done, total),
    warning: (message) => void warnings.push(message),
  });
  const bytes = await readFile(path, limits);
  const file = { filename: options.filename, mediaType: options.mediaType ?? "" };
  const { kind, metadata } = await readDocument(bytes, file, limits, writer, 0);
  return { mediaType: mediaTypes[kind], pages, metadata, warnings };
}

async function readFile(path: string, limits: ExtractionLimits): Promise<Uint8Array> {
  const file = Bun.file(path);
  const { size } = await file.stat();
  if (size === 0) {
    throw new ExtractionError("empty-file", "This file is empty: it holds 0 bytes.");
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
    const metadata = await readers[kind](bytes, limits, writer, depth);
    return { kind, metadata };
  } catch (error) {
    throw toExtractionError(error, names[kind]);
  }
}

type Reader = (
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
  depth: number,
) => Promise<DocumentMetadata>;

/** Each reader is loaded when its kind is first met: most documents never need the PDF library. */
const readers: Readonly<Record<DocumentKind, Reader>> = {
  pdf: async (bytes, limits, writer) =>
    (await import("./formats/pdf.ts")).extractPdf(bytes, limits, writer),
  docx: async (bytes, limits, writer) =>
    (await import("./formats/docx.ts")).extractDocx(bytes, limits, writer),
  xlsx: async (bytes, limits, writer) =>
    (await import("./formats/xlsx.ts")).extractXlsx(bytes, limits, writer),
  html: async (bytes, limits, writer) =>
    (await import("./formats/html.ts")).extractHtml(bytes, limits, writer),
  markdown: async (bytes, limits, writer) =>
    (await import("./formats/plain-text.ts")).extractMarkdown(bytes, limits, writer),
  csv: async (bytes, limits, writer) =>
    (await import("./formats/csv.ts")).extractCsv(bytes, limits, writer),
  text: async (bytes, limits, writer) =>
    (await import("./formats/plain-text.ts")).extractPlainText(bytes, limits, writer),
  email: async (bytes, limits, writer, depth) => {
    const { extractEmail } = await import("./formats/email.ts");
    return await extractEmail(bytes, limits, writer, (content, file) =>
      readAttachment(content, file, limits, writer, depth + 1),
    );
  },
};

/** What a person calls a document of each kind. */
const names: Readonly<Record<DocumentKind, string>> = {
  pdf: "PDF",
  docx: "Word document",
  xlsx: "Excel workbook",
  html: "web page",
  email: "e-mail message",
  markdown: "Markdown file",
  csv: "CSV file",
  text: "text file",
};

/**
 * An attachment that can't be read is warned about and does not spoil its message; a limit still
 * refuses the whole.
 */
async function readAttachment(
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
  limits: ExtractionLimits,
  writer: PageWriter,
  depth: number,
): Promise<void> {
  if (depth > limits.attachmentDepth) {
    writer.warn(`The attachment ${file.filename} is nested too deep and was not read.`);
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
    writer.warn(`The attachment ${file.filename} was not read. ${error.message}`);
  }
}

const attachmentOnly: ReadonlySet<string> = new Set(["corrupt", "encrypted", "unsupported"]);
