import { documentCommand } from "./document-command.ts";

/** `svc docs upload <files...>`: `processing_mode=full` (spec 4.7). */
export default documentCommand("upload", {
  summary: "Upload documents to be classified and indexed",
  examples: [
    "svc docs upload plans.pdf --planning-application-id <id>",
    "svc docs upload notes.docx --vertical-key planning-portal --workflow-key planning-assistant",
    "svc docs upload scans 'letters/**/*.pdf' --planning-application-id <id> --wait",
  ],
  trials: [
    "plan.txt --planning-application-id {application}",
    "plan.txt letters --planning-application-id {application} --wait",
    {
      words: "plan.txt --planning-application-id PA/2024:17 --assess-case-id case.3",
      at: ["other"],
    },
    { words: "plan.txt --business-request-id BR:17", at: ["other"] },
    { words: "plan.txt --vertical-key parks-portal --workflow-key {workflow}", at: ["other"] },
  ],
});
