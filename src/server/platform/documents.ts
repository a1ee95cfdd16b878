import { hostname } from "node:os";
import { resolve } from "node:path";
import { provisioningJobKind, provisioningRetentionMs } from "../domains/apps/provisioning.ts";
import type { PlatformBase } from "../domains/base.ts";
import { documentJobKind } from "../domains/documents/document-job.ts";
import { DocumentService, type PassageFinder } from "../domains/documents/service.ts";
import { documentWork } from "../domains/documents/stages/run-stages.ts";
import type { RecordLookup } from "../domains/records/service.ts";
import type { SearchWords } from "../domains/search/service.ts";
import { JobRunner, type JobWork } from "../jobs/runner.ts";
import type { createUnderstanding } from "./understanding.ts";

/** Jobs at the same time; each document is processed in a separate process. */
const concurrency = 2;

/** The documents service and the runner of all jobs, recovered after a crash. */
export async function createDocuments(
  base: PlatformBase,
  uses: {
    readonly records: RecordLookup;
    readonly passages: PassageFinder;
    readonly words: SearchWords;
  },
  understanding: ReturnType<typeof createUnderstanding>,
  otherKinds: Readonly<Record<string, JobWork>>,
): Promise<{ readonly documents: DocumentService; readonly jobs: JobRunner }> {
  const { now, logger, lifetime, blobs } = base;
  // A job's writes belong to no request, also when a request wakes the runner.
  const database = base.unkeyedDatabase;
  const jobs = new JobRunner({
    database,
    kinds: {
      [documentJobKind]: documentWork({
        ...base,
        ...uses,
        database,
        understanding: understanding.reader,
      }),
      ...understanding.kinds,
      ...otherKinds,
    },
    retentionsMs: { [provisioningJobKind]: provisioningRetentionMs },
    concurrency,
    now,
    owner: `${hostname()}:${resolve(base.dataDirectory)}`,
    onError: (error, job) =>
      logger.error({
        event: "job-error",
        ...(job === undefined ? {} : { jobId: job.id, kind: job.kind }),
        error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      }),
  });
  const documents = new DocumentService(base, {
    ...uses,
    blobs,
    jobs,
    classify: understanding.classify,
    readiness: understanding.readiness,
    onRemoved: (writer, document) => understanding.onRemoved(writer, document),
  });
  await documents.recover();
  await jobs.start();
  lifetime.onDrain((timeoutMs) => jobs.stop(timeoutMs));
  lifetime.onClose(() => jobs.stop(0));
  return { documents, jobs };
}
