import { jobCommand } from "./retry.ts";

export const docsCancelCommand = jobCommand({
  verb: "cancel",
  summary: "Stop a queued or running job",
  description:
    "Results of finished stages stay, and `docs retry` continues after them. A job that has " +
    "ended is refused (E205).",
});
