import type { Properties } from "../kit/filter/filter-language.ts";

/** What documents can be filtered by, where a word alone is looked for as well. */
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

/** What they can be filtered by besides. */
export const otherDocumentFields: Properties = {
  pages: { type: "integer" },
  created_at: { type: "datetime" },
  updated_at: { type: "datetime" },
  documentId: { type: "string" },
  jobId: { type: "string" },
};
