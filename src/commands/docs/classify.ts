import { documentCommand } from "./upload.ts";

/** `svc docs classify <file>`: `processing_mode=classification` (spec 4.7). */
export const docsClassifyCommand = documentCommand(
  "classify",
  "Upload a document and queue its classification, in one request",
);
