import { jobCommand } from "./job-command.ts";

export default jobCommand({
  verb: "cancel",
  summary: "Stop a queued or running job",
  description:
    "Results of finished stages stay, and `docs retry` continues after them. A job that has " +
    "ended is refused (E205).",
});
