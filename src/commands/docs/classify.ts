import { documentCommand } from "./document-command.ts";

/** `svc docs classify <files...>`: `processing_mode=classification` (spec 4.7). */
export default documentCommand("classify", {
  summary: "Upload documents and queue their classification, in one request each",
  examples: [
    "svc docs classify letter.pdf --business-request-id <id>",
    "svc docs classify notes.docx --vertical-key planning-portal --workflow-key planning-assistant",
    "svc docs classify inbox --business-request-id <id> --wait",
  ],
  trials: ["plan.txt --planning-application-id {application}"],
});
