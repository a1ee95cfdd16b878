import type { Properties } from "../kit/filter/filter-language.ts";

/** The filter fields of documents that are also searched for a word without a field name. */
export const documentFields: Properties = {
  filename: { type: "string" },
  documentNumber: { type: "string" },
  mediaType: { type: "string" },
  status: { type: "enum" },
  "classification.label": { type: "string" },
  lifecycle: { type: "enum" },
  processingMode: { type: "enum" },
  size: { type: "number" },
};

export const otherDocumentFields: Properties = {
  pages: { type: "integer" },
  created_at: { type: "datetime" },
  updated_at: { type: "datetime" },
  documentId: { type: "string" },
  jobId: { type: "string" },
};
