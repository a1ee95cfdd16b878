/** Limits for one document. A file above one of them is refused, never cut. */
export type ExtractionLimits = {
  /** Bytes of the file itself. */
  fileBytes: number;
  /** Entries of a zip container (DOCX, XLSX). */
  zipEntries: number;
  /** Bytes of one unpacked zip entry. */
  zipEntryBytes: number;
  /** Bytes of all unpacked entries of one zip. */
  zipTotalBytes: number;
  /** Nesting of elements (XML, HTML) and of MIME parts. */
  depth: number;
  /** Pages of one document, attachments included. */
  pages: number;
  /** UTF-16 code units of one document's text, attachments included. */
  characters: number;
  /** Code units of one page of a format with pages (PDF). */
  pageCharacters: number;
  /**
   * Runs of text of one page (PDF), and its drawing steps, with those of the forms that it draws:
   * forms in forms make billions of steps from some kilobytes.
   */
  pageSteps: number;
  /** {@link pageSteps} of all pages. */
  documentSteps: number;
  /** Code units at which text without pages is cut into pages, at paragraph boundaries. */
  flowCharacters: number;
  /** Attachments of one message that are read. */
  attachments: number;
  /** Levels of messages within messages that are read. */
  attachmentDepth: number;
};

const mebibyte = 1024 * 1024;

/**
 * The product's limits. A valid spreadsheet may compress better than 300 to 1, so only absolute
 * sizes stop a zip bomb. `flowCharacters` × `pages` exceeds `characters`: the clearer message.
 */
export const defaultLimits: ExtractionLimits = {
  fileBytes: 256 * mebibyte,
  zipEntries: 5_000,
  zipEntryBytes: 64 * mebibyte,
  zipTotalBytes: 256 * mebibyte,
  depth: 256,
  pages: 2_000,
  characters: 20_000_000,
  pageCharacters: 1_000_000,
  pageSteps: 100_000,
  documentSteps: 10_000_000,
  flowCharacters: 20_000,
  attachments: 200,
  attachmentDepth: 4,
};
