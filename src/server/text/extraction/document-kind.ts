import { ownMember } from "#lib/own-member.ts";
import { byteOrderMark, decodeText, isUtf32, wideEncoding } from "./formats/encoding.ts";
import { encrypted } from "./extraction-error.ts";
import type { ExtractionLimits } from "./extraction-limits.ts";
import {
  refuseKnownKinds,
  unsupported,
  unsupportedCompound,
  unsupportedZip,
} from "./unsupported-kinds.ts";

export type DocumentKind =
  | "pdf"
  | "docx"
  | "xlsx"
  | "pptx"
  | "odt"
  | "ods"
  | "odp"
  | "odg"
  | "fodt"
  | "fods"
  | "fodp"
  | "fodg"
  | "epub"
  | "rtf"
  | "json"
  | "html"
  | "email"
  | "outlook"
  | "winmail"
  | "smime"
  | "markdown"
  | "csv"
  | "svg"
  | "xml"
  | "text"
  | "png"
  | "jpeg"
  | "tiff"
  | "webp"
  | "bmp";

export const mediaTypes: Readonly<Record<DocumentKind, string>> = {
  pdf: "application/pdf",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  odg: "application/vnd.oasis.opendocument.graphics",
  fodt: "application/vnd.oasis.opendocument.text-flat-xml",
  fods: "application/vnd.oasis.opendocument.spreadsheet-flat-xml",
  fodp: "application/vnd.oasis.opendocument.presentation-flat-xml",
  fodg: "application/vnd.oasis.opendocument.graphics-flat-xml",
  epub: "application/epub+zip",
  rtf: "application/rtf",
  json: "application/json",
  html: "text/html",
  email: "message/rfc822",
  outlook: "application/vnd.ms-outlook",
  winmail: "application/ms-tnef",
  smime: "application/pkcs7-mime",
  markdown: "text/markdown",
  csv: "text/csv",
  svg: "image/svg+xml",
  xml: "application/xml",
  text: "text/plain",
  png: "image/png",
  jpeg: "image/jpeg",
  tiff: "image/tiff",
  webp: "image/webp",
  bmp: "image/bmp",
};

const textExtensions: Readonly<Record<string, DocumentKind>> = {
  htm: "html",
  html: "html",
  xhtml: "html",
  eml: "email",
  mbox: "email",
  mbx: "email",
  mht: "email",
  mhtml: "email",
  md: "markdown",
  markdown: "markdown",
  csv: "csv",
  tsv: "csv",
  json: "json",
};

const textMediaTypes: Readonly<Record<string, DocumentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "message/rfc822": "email",
  "text/markdown": "markdown",
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/json": "json",
};

/** Pictures whose text is recognised, by their first bytes. */
const pictures: readonly { bytes: readonly number[]; at?: number; kind: DocumentKind }[] = [
  { bytes: [0x89, 0x50, 0x4e, 0x47], kind: "png" },
  { bytes: [0xff, 0xd8, 0xff], kind: "jpeg" },
  { bytes: [0x49, 0x49, 0x2a, 0x00], kind: "tiff" },
  { bytes: [0x4d, 0x4d, 0x00, 0x2a], kind: "tiff" },
  { bytes: [0x57, 0x45, 0x42, 0x50], at: 8, kind: "webp" },
];

/** Kinds by the beginning of their media type: templates have one with another end. */
const openDocuments = ["odt", "ods", "odp", "odg"] as const;
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const winmail = [0x78, 0x9f, 0x3e, 0x22];
/** The begin of the types of signed and encrypted content (CMS, RFC 5652), which come first. */
const cmsTypes = Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01]);
const headBytes = 4096;
/** A PDF may have other bytes before its header (ISO 32000-1, annex H). */
const pdfHeaderWithin = 1024;

/**
 * Detects the kind of a document: from its bytes, then for text from the file name, then from the
 * declared media type. Throws `unsupported` or `encrypted`.
 */
export async function detectKind(
  bytes: Uint8Array,
  file: { filename: string; mediaType: string },
  limits: ExtractionLimits,
): Promise<DocumentKind> {
  const head = bytes.subarray(0, headBytes);
  // A packed or signed PDF has the header of a PDF near its beginning too.
  if (startsWith(head, winmail)) return "winmail";
  if (head[0] === 0x30 && Buffer.from(head).subarray(0, 24).includes(cmsTypes)) return "smime";
  if (isPdf(Buffer.from(head).subarray(0, pdfHeaderWithin).toString("latin1"))) return "pdf";
  if (startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || startsWith(head, [0x50, 0x4b, 0x05, 0x06])) {
    return await kindOfZip(bytes, limits);
  }
  if (startsWith(head, [0x7b, 0x5c, 0x72, 0x74, 0x66])) return "rtf";
  if (startsWith(head, compoundFile)) return kindOfCompoundFile(bytes);
  const picture = pictures.find(({ bytes: magic, at }) =>
    startsWith(head.subarray(at ?? 0), magic),
  );
  if (picture !== undefined) return picture.kind;
  // "BM" alone may begin a text; a bitmap has four zero bytes in its header.
  if (startsWith(head, [0x42, 0x4d]) && startsWith(head.subarray(6), [0, 0, 0, 0])) return "bmp";
  refuseKnownKinds(head);
  // Only UTF-16 and UTF-32 text has NUL bytes.
  const isWide = isUtf32(head) || byteOrderMark(head) !== null || wideEncoding(head) !== null;
  if (head.includes(0) && !isWide) throw unsupported("a binary file");
  return await kindOfText(head, file);
}

/** A PDF whose header is damaged still begins with a comment and an object, or with an object. */
function isPdf(start: string): boolean {
  return start.includes("%PDF-") || /^\s*(?:%[^\r\n]*\s+){0,2}\d+ \d+ obj\b/.test(start);
}

/** A comment must not match across its end; otherwise matching takes exponential time. */
const htmlStart =
  /^(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*)*<(?:!doctype\s+html|html)\b/i;

async function kindOfText(
  head: Uint8Array,
  file: { filename: string; mediaType: string },
): Promise<DocumentKind> {
  const start = (await decodeText(head)).trimStart();
  if (htmlStart.test(start)) return "html";
  if (isMessage(start)) return "email";
  const markup = kindOfXml(start);
  if (markup !== undefined) return markup;
  const extension = /\.([a-z0-9]+)$/i.exec(file.filename)?.[1]?.toLowerCase() ?? "";
  const byName = ownMember(textExtensions, extension);
  if (byName !== undefined) return byName;
  if (extension === "txt") return "text";
  const declared = file.mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
  return ownMember(textMediaTypes, declared) ?? "text";
}

/** The parts before the first element; each one ends before the next begins. */
const xmlProlog =
  /^(?:<\?(?:(?!\?>)[\s\S]){0,2000}\?>\s*|<!--(?:(?!-->)[\s\S]){0,2000}-->\s*|<!DOCTYPE[^>[]{0,500}(?:\[[^\]]{0,2000}\]\s*)?>\s*)*/;
const flatDocument = /\boffice:mimetype\s*=\s*["']([^"']{1,100})/;

/** The kind of a text that is XML: one with a declaration, a drawing, or an OpenDocument file. */
function kindOfXml(start: string): DocumentKind | undefined {
  const [prolog = ""] = xmlProlog.exec(start) ?? [];
  const element = /^<(?:[\w.-]+:)?([\w.-]+)(?=[\s/>])/.exec(start.slice(prolog.length))?.[1];
  if (element === undefined) return undefined;
  if (element === "svg") return "svg";
  const declared = element === "document" ? flatDocument.exec(start)?.[1] : undefined;
  const open = openDocuments.find((each) => declared?.startsWith(mediaTypes[each]) === true);
  if (open !== undefined) return `f${open}`;
  return prolog.startsWith("<?xml") ? "xml" : undefined;
}

/** A message begins with header fields: at least three known ones, one of them its origin. */
function isMessage(text: string): boolean {
  const found = new Set<string>();
  // A message of a mailbox file has another line before its header.
  for (const line of text.replace(/^From [^\n]*\n/, "").split(/\r?\n/)) {
    if (/^[ \t]/.test(line) && found.size > 0) continue;
    const name = /^([A-Za-z][A-Za-z0-9-]{1,60}):/.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) break;
    if (messageFields.has(name)) found.add(name);
  }
  const hasOrigin = found.has("from") || found.has("received") || found.has("return-path");
  return hasOrigin && found.size >= 3;
}

const messageFields = new Set(
  "from to subject date received return-path message-id mime-version content-type delivered-to date".split(
    " ",
  ),
);

/** A book has its type first, or at least a package document. */
const isOfBook = (name: string): boolean => name === "mimetype" || name.endsWith(".opf");

/** The type of the whole document, which is the one of an OpenDocument file. */
const listedType = /media-type\s*=\s*"(application\/vnd\.oasis\.opendocument\.[^"]{1,80})"/;

async function kindOfZip(bytes: Uint8Array, limits: ExtractionLimits): Promise<DocumentKind> {
  const { openZip } = await import("./formats/zip.ts");
  const archive = openZip(bytes, limits, "file");
  const { names } = archive;
  const types = [...names];
  if (names.has("[Content_Types].xml")) {
    if (types.some((name) => name.startsWith("word/"))) return "docx";
    if (types.some((name) => name.startsWith("xl/")) && !names.has("xl/workbook.bin"))
      return "xlsx";
    if (types.some((name) => name.startsWith("ppt/"))) return "pptx";
  }
  if (names.has("META-INF/container.xml") && types.some(isOfBook)) {
    return "epub";
  }
  if (names.has("content.xml")) {
    const text = (part: string): string => Buffer.from(archive.read(part) ?? []).toString("latin1");
    // Some programs leave the first part out; the list of parts repeats it.
    const declared =
      text("mimetype") || (listedType.exec(text("META-INF/manifest.xml"))?.[1] ?? "");
    const kind = openDocuments.find((each) => declared.startsWith(mediaTypes[each]));
    if (kind !== undefined) return kind;
    if (declared !== "") throw unsupported("an OpenDocument formula or database");
  }
  throw unsupportedZip(names);
}

function kindOfCompoundFile(bytes: Uint8Array): DocumentKind {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const has = (stream: string): boolean => file.includes(Buffer.from(stream, "utf16le"));
  if (has("EncryptedPackage")) throw encrypted("Office document");
  // A message comes first, because it has the streams of an attached document too.
  if (has("__substg1.0_")) return "outlook";
  throw unsupportedCompound(has);
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
