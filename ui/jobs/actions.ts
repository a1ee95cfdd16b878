import type { DocumentJob } from "#client/index.ts";
import type { Action } from "../kit/places/action.ts";
import { jobName } from "./words.ts";

export const jobRetry: Action<DocumentJob> = {
  run: (client, { jobId }, tenantId) => client.useDocuments(tenantId).retryJob(jobId),
  done: (job) => `${jobName(job)} runs again`,
};

export const jobCancel: Action<DocumentJob> = {
  run: (client, { jobId }, tenantId) => client.useDocuments(tenantId).cancelJob(jobId),
  done: (job) => `${jobName(job)} is stopping`,
};
