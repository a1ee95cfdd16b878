import { documentCommand } from "./upload.ts";

/** `svc docs classify <files...>`: `processing_mode=classification` (spec 4.7). */
export const docsClassifyCommand = documentCommand(
  "classify",
  "Upload documents and queue their classification, in one request each",
);
