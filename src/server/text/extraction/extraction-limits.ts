/**
 * Bounds on what one document may cost. Every reader takes them; a file above one is refused, never
 * cut.
 */
export type ExtractionLimits = {
  /** Bytes of the file itself. */
  fileBytes: number;
  /** Entries of a zip container (DOCX, XLSX). */
  zipEntries: number;
  /** Bytes of one unpacked zip entry. */
  zipEntryBytes: number;
  /** Bytes of all the entries that are unpacked from one zip. */
  zipTotalBytes: number;
  /** Nesting of elements (XML, HTML) and of MIME parts. */
  depth: number;
  /** Pages of one document, attachments included. */
  pages: number;
  /** UTF-16 code units of one document's text, attachments included. */
  characters: number;
  /** Code units of one page of a format that has pages of its own (PDF). */
  pageCharacters: number;
  /** Code units at which text without pages is cut into pages, at paragraph boundaries. */
  flowCharacters: number;
  /** Attachments of one message whose text is read. */
  attachments: number;
  /** Messages within messages whose text is read. */
  attachmentDepth: number;
};

const mebibyte = 1024 * 1024;

/**
 * The limits of the product. An honest spreadsheet packs better than 300 to 1, so there is no limit
 * on the ratio: absolute sizes stop a zip bomb just as surely. `flowCharacters` times `pages` is
 * above `characters`, so a long text file meets the limit on characters first, whose message a
 * person understands.
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
  flowCharacters: 20_000,
  attachments: 50,
  attachmentDepth: 4,
};
