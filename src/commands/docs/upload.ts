import { command } from "../command.ts";
import { sendDocument } from "./send.ts";
import { uploadOptions } from "./upload-options.ts";

/** `svc docs upload <file>`: `processing_mode=full` (spec 4.7). */
export const docsUploadCommand = command({
  path: "docs upload",
  summary: "Upload a document to be classified and indexed",
  description:
    "The context is a planning application or a business request (with an assessment case, if " +
    "any), or the app and workflow keys of a configured standalone workflow. A file is sent once: " +
    "acceptance is not success, so follow the job.",
  arguments: [{ name: "file", description: "Path of the file" }],
  options: uploadOptions,
  routes: ["POST /v4/data/documents/upload"],
  examples: [
    "svc docs upload plans.pdf --planning-application-id <id>",
    "svc docs upload notes.docx --vertical-key planning-portal --workflow-key planning-assistant",
  ],
  run: (input, context) => sendDocument(context, input.arguments.file, input.options, "upload"),
});
