import { documentWork } from "../domains/documents/stages/run-stages.ts";
import { JobRunner } from "../jobs/runner.ts";
import { documentJobKind } from "../domains/documents/document-job.ts";
import type { RecordLookup } from "../domains/records/service.ts";
import { DocumentService } from "../domains/documents/service.ts";
import type { PlatformBase } from "../domains/base.ts";

/** Documents processed at the same time, each in a separate process. */
const concurrency = 2;

/** The documents service with its running jobs, recovered after a crash. */
export async function createDocuments(
  base: PlatformBase,
  records: RecordLookup,
): Promise<DocumentService> {
  const { now, logger, lifetime, blobs } = base;
  // A job's writes belong to no request, also when a request wakes the runner.
  const database = base.unkeyedDatabase;
  const jobs = new JobRunner({
    database,
    kinds: { [documentJobKind]: documentWork({ ...base, database }) },
    concurrency,
    now,
    onError: (error, job) =>
      logger.error({
        event: "job-error",
        ...(job === undefined ? {} : { jobId: job.id, kind: job.kind }),
        error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      }),
  });
  const documents = new DocumentService(base, { blobs, jobs, records });
  await documents.recover();
  await jobs.start();
  lifetime.onDrain((timeoutMs) => jobs.stop(timeoutMs));
  lifetime.onClose(() => jobs.stop(0));
  return documents;
}
