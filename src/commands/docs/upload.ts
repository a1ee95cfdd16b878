import { documentCommand } from "./send.ts";

/** `svc docs upload <file>`: `processing_mode=full` (spec 4.7). */
export const docsUploadCommand = documentCommand(
  "upload",
  "Upload a document to be classified and indexed",
);
