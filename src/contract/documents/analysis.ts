import * as z from "zod";
import { documentId, documentRecord } from "./records.ts";

const key = z.string().trim().min(1, "is blank").max(255);

/** A document to index for answers; the storage path of its record is a cross-check. */
export const ragIndexRequest = z
  .strictObject({ documentId, storagePath: z.string().min(1).max(1024).optional() })
  .meta({ id: "RagIndexRequest" });

/** A URL to analyse, with both keys of a configured workflow or neither (spec 4.1 rule 12). */
export const urlAnalysisRequest = z
  .strictObject({
    url: z.string().min(1).max(8192),
    vertical_key: key.optional(),
    workflow_key: key.optional(),
  })
  .meta({ id: "UrlAnalysisRequest" });
export type UrlAnalysisRequest = z.output<typeof urlAnalysisRequest>;

const { classification, fields, pages } = documentRecord.shape;

/** The analysis of a file at a URL; nothing of it is stored (spec 4.1). */
export const urlAnalysis = z
  .looseObject({
    url: z.string().optional().describe("The last URL after redirects"),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
    size: z.number().optional(),
    sha256: z.string().optional(),
    pages,
    classification,
    fields,
    warnings: z.array(z.string()).optional(),
  })
  .meta({ id: "UrlAnalysis" });
/** The kind, the fields and the pages of a URL's file; `size` is in bytes. */
export type UrlAnalysis = z.output<typeof urlAnalysis>;
