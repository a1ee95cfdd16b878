import { ExtractionError } from "./extraction-error.ts";

/** A known format that is not read: where it shows, its name, and what to do instead. */
interface UnsupportedKind {
  readonly bytes: readonly number[] | string;
  readonly at?: number;
  readonly words: string;
  readonly remedy?: string;
}

const kindsRead =
  "PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, ODG, EPUB, RTF, HTML, EML, MSG, JSON, XML, Markdown, CSV and " +
  "plain text files are read, and pictures (PNG, JPEG, TIFF, WebP, BMP)";

const savedAs = (program: string, kind: string): string =>
  `Open it in ${program}, save it as ${kind} and send the new file.`;
const unpack = `Unpack it and send the files in it. ${kindsRead}.`;
const asJpeg = savedAs("a program for pictures", "JPEG");
const exportAs = (program: string, kinds: string): string =>
  `Open it in ${program}, export it as ${kinds} and send the new file.`;
const asPdf = (program: string): string => savedAs(program, "PDF");

/** Formats by their first bytes, the more exact ones first. */
const unsupportedKinds: readonly UnsupportedKind[] = [
  { bytes: "GIF8", words: "a picture (GIF)" },
  ...["heic", "heix", "heim", "heis", "mif1", "msf1"].map((brand) => ({
    bytes: `ftyp${brand}`,
    at: 4,
    words: "a picture (HEIC)",
    remedy: asJpeg,
  })),
  { bytes: "ftypavif", at: 4, words: "a picture (AVIF)", remedy: asJpeg },
  { bytes: "ftyp", at: 4, words: "a recording (sound or video)" },
  { bytes: [0, 0, 0, 0x0c, 0x6a, 0x50], words: "a picture (JPEG 2000)", remedy: asJpeg },
  { bytes: [0x49, 0x49, 0x2b, 0], words: "a picture (BigTIFF)" },
  { bytes: [0x4d, 0x4d, 0, 0x2b], words: "a picture (BigTIFF)" },
  { bytes: "8BPS", words: "a picture (Photoshop)", remedy: asJpeg },
  { bytes: " EMF", at: 40, words: "a drawing (EMF)", remedy: asPdf("LibreOffice") },
  { bytes: [0xd7, 0xcd, 0xc6, 0x9a], words: "a drawing (WMF)", remedy: asPdf("LibreOffice") },
  { bytes: "AC10", words: "a drawing of AutoCAD (.dwg)", remedy: asPdf("AutoCAD") },
  { bytes: "AT&TFORM", words: "a scan (DjVu)", remedy: asPdf("a viewer") },
  { bytes: "%!PS", words: "a PostScript file" },
  { bytes: [0xc5, 0xd0, 0xd3, 0xc6], words: "a PostScript file" },
  { bytes: "ID3", words: "a recording (MP3)" },
  { bytes: [0xff, 0xfb], words: "a recording (MP3)" },
  { bytes: "WAVE", at: 8, words: "a recording (WAV)" },
  { bytes: "OggS", words: "a recording (Ogg)" },
  { bytes: "fLaC", words: "a recording (FLAC)" },
  {
    bytes: [0xe4, 0x52, 0x5c, 0x7b, 0x8c, 0xd8, 0xa7, 0x4d],
    words: "a section of OneNote (.one)",
    remedy: exportAs("OneNote", "PDF or DOCX"),
  },
  {
    bytes: [0xff, 0x57, 0x50, 0x43],
    words: "a document of WordPerfect",
    remedy: savedAs("WordPerfect or LibreOffice", "DOCX"),
  },
  { bytes: "Standard Jet DB", at: 4, words: "a database of Access", remedy: tables("Access") },
  { bytes: "Standard ACE DB", at: 4, words: "a database of Access", remedy: tables("Access") },
  { bytes: "SQLite format 3", words: "a database (SQLite)", remedy: tables("a program for it") },
  {
    bytes: "!BDN",
    words: "a mailbox of Outlook (.pst)",
    remedy: "Open it in Outlook, save the messages as MSG and send those.",
  },
  { bytes: "ITSF", words: "a help file (CHM)" },
  { bytes: [0x1f, 0x8b], words: "a compressed (gzip) file", remedy: unpack },
  { bytes: "BZh", words: "a compressed (bzip2) file", remedy: unpack },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], words: "a compressed (xz) file", remedy: unpack },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], words: "a compressed (7z) file", remedy: unpack },
  { bytes: "Rar!", words: "a compressed (RAR) file", remedy: unpack },
  { bytes: "ustar", at: 257, words: "an archive (tar)", remedy: unpack },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], words: "a program" },
  { bytes: [0x4d, 0x5a, 0x90], words: "a program" },
];

function tables(program: string): string {
  return exportAs(program, "CSV or XLSX");
}

/** Refuses a file whose first bytes are those of a known format that is not read. */
export function refuseKnownKinds(head: Uint8Array): void {
  const file = Buffer.from(head.buffer, head.byteOffset, head.length);
  for (const { bytes, at = 0, words, remedy } of unsupportedKinds) {
    const magic = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : Buffer.from(bytes);
    if (file.subarray(at, at + magic.length).equals(magic)) throw unsupported(words, remedy);
  }
}

/** Formats of zip files by one of their parts. */
const zippedKinds: readonly { part: RegExp; words: string; remedy: string }[] = [
  {
    part: /^xl\/workbook\.bin$/,
    words: "a binary workbook of Excel (.xlsb)",
    remedy: savedAs("Excel or LibreOffice", "XLSX"),
  },
  {
    part: /^visio\/document\.xml$/,
    words: "a Visio drawing (.vsdx)",
    remedy: asPdf("Visio or LibreOffice"),
  },
  {
    part: /^(?:Index\/Document\.iwa|Index\.zip|index\.apxl|index\.xml)$/,
    words: "a document of Pages, Numbers or Keynote",
    remedy: exportAs("that program", "PDF, Word, Excel or PowerPoint"),
  },
  { part: /\.fdseq$/i, words: "an XPS document", remedy: asPdf("a viewer") },
];

/** The refusal of a zip file that is no document which is read. */
export function unsupportedZip(names: Iterable<string>): ExtractionError {
  const parts = [...names];
  const known = zippedKinds.find(({ part }) => parts.some((name) => part.test(name)));
  return unsupported(known?.words ?? "a zip archive", known?.remedy ?? unpack);
}

/** Formats of compound files by the names of their streams (MS-CFB), which are UTF-16. */
const oldFormats: readonly { stream: string; words: string; remedy: string }[] = [
  {
    stream: "WordDocument",
    words: "a Word document of the format before 2007 (.doc)",
    remedy: savedAs("Word or LibreOffice", "DOCX"),
  },
  {
    stream: "PowerPoint Document",
    words: "a PowerPoint presentation of the format before 2007 (.ppt)",
    remedy: savedAs("PowerPoint or LibreOffice", "PPTX"),
  },
  {
    stream: "Workbook",
    words: "an Excel workbook of the format before 2007 (.xls)",
    remedy: savedAs("Excel or LibreOffice", "XLSX"),
  },
  {
    stream: "Book",
    words: "an Excel workbook of version 5 or 95 (.xls)",
    remedy: savedAs("Excel or LibreOffice", "XLSX"),
  },
  {
    stream: "VisioDocument",
    words: "a Visio drawing (.vsd)",
    remedy: asPdf("Visio or LibreOffice"),
  },
  { stream: "Quill", words: "a publication of Publisher (.pub)", remedy: asPdf("Publisher") },
];

/** The refusal of a compound file; `has` is true for the names of its streams. */
export function unsupportedCompound(has: (stream: string) => boolean): ExtractionError {
  const old = oldFormats.find(({ stream }) => has(stream));
  return unsupported(old?.words ?? "a document of an old Office format (before 2007)", old?.remedy);
}

/** The refusal of a format that is not read; without a remedy it names those that are. */
export function unsupported(words: string, remedy = `${kindsRead}.`): ExtractionError {
  return new ExtractionError("unsupported", `This file is ${words}, which is not read. ${remedy}`);
}
