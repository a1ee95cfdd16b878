import { jobCommand } from "./job-command.ts";

export default jobCommand({
  verb: "retry",
  summary: "Run a failed, cancelled or incomplete job again",
  description:
    "It continues after its last good stage; documents that passed a stage are not processed " +
    "there again. A job that is active, or that succeeded, is refused (E205).",
});
