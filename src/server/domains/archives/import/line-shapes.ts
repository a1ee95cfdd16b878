import * as z from "zod";
import {
  classifierDefinition,
  configurationKey,
  longestExample,
} from "#contract/documents/classifiers.ts";
import { analyzerDefinition, documentTypeDefinition } from "#contract/documents/document-types.ts";
import { processingModes } from "#contract/documents/upload-metadata.ts";
import { reportDefinition } from "#contract/geo/reports.ts";
import { jsonObject, slug } from "#contract/values.ts";
import { tablesOf, wordsOf } from "../../../text/extraction/child/child-lines.ts";

const name = z.string().min(1).max(255);
const text = z.string();
/** A text that is sent in a header field of a response. */
export const headerText = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x20-\x7e]+$/, "must consist of printable ASCII characters");
/** The time of a stored row. */
export const storedTime = z.iso.datetime();
export const digest = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 digest");
export const count = z.int().min(0);
/** A version of a row, from 1. */
export const rowVersion = z.int().min(1);
/** An id that is also a part of paths. */
export const rowId = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "must be a UUID in lower case");

const made = { created_by: name, created_at: storedTime };
const changed = { ...made, updated_at: storedTime };
const kept = { ...changed, version: rowVersion };

/** Forms of the lines that an import copies into the table of their part. */
export const lineShapes: ReadonlyMap<string, z.ZodType<object>> = new Map<
  string,
  z.ZodType<object>
>([
  [
    "documents",
    z.looseObject({
      id: rowId,
      number: z.string().regex(/^DOC-\d{4}-\d{1,12}$/, "must be DOC, a year and a number"),
      filename: name,
      media_type: headerText,
      size: count,
      sha256: digest,
      scope_key: text,
      lifecycle: text,
      processing_mode: z.enum(processingModes),
      status: z.enum(["queued", "processing", "ready", "failed", "cancelled"]),
      context: jsonObject,
      metadata: jsonObject,
      classification: jsonObject.nullish(),
      fields: z.record(z.string(), jsonObject).nullish(),
      properties: jsonObject.nullish(),
      pages: count.nullish(),
      chunk_count: count.nullish(),
      index_status: z.enum(["none", "pending", "indexed", "failed"]),
      done_stages: z.array(z.string()),
      error: z.looseObject({ code: z.string(), message: z.string() }).nullish(),
      job_id: name,
      ...kept,
    }),
  ],
  [
    "document-pages",
    z
      .looseObject({
        document_id: rowId,
        page: rowVersion,
        text,
        tables: z.unknown().optional(),
        words: z.unknown().optional(),
      })
      .refine(
        ({ tables, text: { length } }) => (tables ?? null) === null || tablesOf(tables, length),
        {
          path: ["tables"],
          error: "must be tables whose cells are places of the text",
        },
      )
      .refine(({ words, text: { length } }) => (words ?? null) === null || wordsOf(words, length), {
        path: ["words"],
        error: "must be places of words of the text",
      }),
  ],
  [
    "document-passages",
    z.looseObject({
      document_id: rowId,
      ordinal: count,
      page: count,
      span_start: count,
      span_end: count,
      text,
      headings: text,
    }),
  ],
  [
    "document-reviews",
    z.looseObject({
      document_id: rowId,
      target: name,
      kind: z.enum(["label", "field"]),
      found: jsonObject.nullish(),
      confidence: z.number(),
      threshold: z.number(),
      status: z.enum(["open", "accepted", "corrected"]),
      decided_by: name.nullish(),
      decided_at: storedTime.nullish(),
      created_at: storedTime,
    }),
  ],
  [
    "document-history",
    z.looseObject({
      document_id: rowId,
      version: rowVersion,
      operation: name,
      target: name,
      changes: z.array(jsonObject),
      actor: name,
      at: storedTime,
    }),
  ],
  [
    "document-types",
    z.looseObject({
      key: configurationKey,
      label: configurationKey,
      status: documentTypeDefinition.shape.status,
      definition: documentTypeDefinition,
      ...kept,
    }),
  ],
  ["analyzers", z.looseObject({ key: configurationKey, definition: analyzerDefinition, ...kept })],
  [
    "classifiers",
    z.looseObject({
      key: configurationKey,
      definition: classifierDefinition,
      status: classifierDefinition.shape.status,
      revision: count,
      ...kept,
    }),
  ],
  [
    "classifier-examples",
    z.looseObject({
      classifier_key: configurationKey,
      id: name,
      label: configurationKey,
      text: z.string().min(1).max(longestExample),
      source: name,
      document_id: rowId.nullish(),
      ...made,
    }),
  ],
  [
    "workflow-requests",
    z.looseObject({
      workflow_key: name,
      id: name,
      display_name: text,
      reason: text.nullish(),
      requested_by: name,
      created_at: storedTime,
    }),
  ],
  [
    "geo-reports",
    z.looseObject({
      id: rowId,
      slug: slug.max(63),
      title: name,
      description: text,
      definition: reportDefinition,
      updated_by: name,
      ...kept,
    }),
  ],
]);
