import type { DocumentJob } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import type { Action } from "../kit/places/action.ts";
import { jobName } from "./words.ts";

export const jobRetry: Action<DocumentJob> = {
  run: (client, { jobId }, tenantId) => client.useDocuments(tenantId).retryJob(jobId),
  done: (job) => `${jobName(job)} runs again`,
};

export const jobCancel: Action<DocumentJob> = {
  question: {
    title: (job) => `Cancel the job of ${jobName(job)}`,
    effects: (job) => [
      `1 job, of ${counted(Math.max(1, job.documents?.length ?? 1), "document")}`,
      "stages that have ended stay; R runs it again",
    ],
    command: ({ jobId }) => [["docs", "cancel", jobId]],
  },
  run: (client, { jobId }, tenantId) => client.useDocuments(tenantId).cancelJob(jobId),
  done: (job) => `${jobName(job)} is stopping`,
};
