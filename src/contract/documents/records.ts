import * as z from "zod";
import { alsoNamed, otherwise, sentAs } from "../deployments.ts";
import { jsonObject, opaqueId, timestamp } from "../values.ts";

const extractedField = z.looseObject({
  type: z.string().optional(),
  value: z.unknown(),
  confidence: z.number().optional(),
  page: z.int().nullable().optional(),
  span: z.looseObject({ start: z.int(), end: z.int() }).nullable().optional(),
  method: z.string().optional(),
  /** The text of the page at the span. */
  quote: z.string().nullable().optional(),
  /** Below it a user must look; only fields of a document type have one. */
  threshold: z.number().optional(),
  reviewed: z.boolean().optional(),
});

export const documentRecord = z
  .looseObject({
    documentId: alsoNamed(z.string(), "id", "resourceId", "documentNumber", "number"),
    documentNumber: alsoNamed(z.string().optional(), "number"),
    filename: alsoNamed(z.string().optional(), "name"),
    mediaType: alsoNamed(z.string().optional(), "mimeType", "contentType"),
    size: z.number().optional(),
    sha256: z.string().optional(),
    storagePath: z.string().optional(),
    lifecycle: z
      .string()
      .nullable()
      .optional()
      .describe(
        "Chosen by `config.documentLifecycle` of the workflow's binding, else by the context",
      ),
    processingMode: z.string().optional(),
    status: z.string().optional(),
    context: jsonObject.optional(),
    classification: z
      .looseObject({
        label: z.string(),
        confidence: z.number().optional(),
        candidates: z
          .array(z.looseObject({ label: z.string(), confidence: z.number() }))
          .optional(),
        /** `rule`, `model`, `chat-model`, `none` below the threshold, `review` by a user. */
        method: z.string().optional(),
        /** The classifier that decided, and the version of its model. */
        classifier: z.string().nullable().optional(),
        /** The chat model that decided, or the reason why a model did not. */
        chatModel: z.string().optional(),
        modelError: z.string().optional(),
        modelVersion: z.int().nullable().optional(),
        threshold: z.number().optional(),
      })
      .nullable()
      .optional(),
    fields: z.record(z.string(), extractedField).nullable().optional(),
    pages: z.int().nullable().optional(),
    chunkCount: z.int().nullable().optional(),
    indexStatus: z.string().optional(),
    jobId: z.string().nullable().optional(),
    createdBy: z.string().nullable().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    version: z.int().optional(),
  })
  .meta({ id: "DocumentRecord" });
/** A document's file, class and extracted fields (spec 2.6, 2.7); `size` is in bytes. */
export type DocumentRecord = z.output<typeof documentRecord>;

export const documentPage = z
  .looseObject({
    documentId: z.string(),
    page: otherwise(z.int(), { value: 1 }),
    pages: z.int().optional(),
    text: z.string(),
    /** The size of the page, with `words=true` and for formats with positions (PDF, pictures). */
    width: z.number().optional(),
    height: z.number().optional(),
    /** Each word's place in the text, and its box from the top left corner. */
    words: z
      .array(
        z.looseObject({
          start: z.int(),
          end: z.int(),
          x: z.number(),
          y: z.number(),
          width: z.number(),
          height: z.number(),
        }),
      )
      .optional(),
  })
  .meta({ id: "DocumentPage" });
/** The text of one page, from 1; citation spans are offsets into it, in UTF-16 units. */
export type DocumentPage = z.output<typeof documentPage>;

const tableCell = z.looseObject({
  text: z.string(),
  /** Place of the text on the page, in UTF-16 units; null for an empty cell. */
  span: z.looseObject({ start: z.int(), end: z.int() }).nullable().optional(),
});

export const documentTable = z
  .looseObject({
    /** The number of the table, from 1, in the order of the document. */
    table: otherwise(z.int(), { value: 1 }),
    page: otherwise(z.int(), { value: 1 }),
    /** Rows at the top that are headings. */
    header: otherwise(z.int(), { value: 0 }),
    /** Rows with equal numbers of cells; a merged cell is in each place that it covers. */
    rows: z.array(z.array(tableCell)),
    /** The rows continue the table before, whose headings they have. */
    continues: z.boolean().optional(),
  })
  .meta({ id: "DocumentTable" });
/** A table that was found in a document, with the place of each cell on its page. */
export type DocumentTable = z.output<typeof documentTable>;

export const deletionReceipt = z
  .looseObject({
    documentId: z.string().optional(),
    removed: z.record(z.string(), z.union([z.boolean(), z.number()])).optional(),
    complete: z.boolean().optional(),
    /** The document is in the trash, and nothing is removed yet: this is no receipt. */
    trashed: z.literal(true).optional(),
    restorableUntil: timestamp.optional(),
  })
  .meta({ id: "DocumentDeletionReceipt" });
/** The parts that a deletion removed, as counts or flags; an incomplete one is a 5xx. */
export type DeletionReceipt = z.output<typeof deletionReceipt>;

const hex = "[0-9a-fA-F]";
const idPattern = new RegExp(
  `^(?:DOC-[A-Za-z0-9-]+|${hex}{32}|${hex}{8}(?:-${hex}{4}){3}-${hex}{12})$`,
);

/** `DOC-2026-000042`, or a UUID, hyphenated or compact (spec 2.7). */
export const documentId = sentAs(
  z.string().max(64).regex(idPattern, "must be DOC-… or a UUID"),
  opaqueId,
);
