import { given } from "#lib/given.ts";
import { provisioningJobKind, provisioningRetentionMs } from "../domains/apps/provisioning.ts";
import type { PlatformBase } from "../domains/base.ts";
import { documentJobKind } from "../domains/documents/document-job.ts";
import { DocumentService, type PassageFinder } from "../domains/documents/service.ts";
import { RewrittenEntries } from "../domains/documents/rewritten-entries.ts";
import { documentWork } from "../domains/documents/stages/run-stages.ts";
import type { RecordLookup } from "../domains/records/service.ts";
import type { WorkflowGate } from "../domains/workflow-gate.ts";
import type { SearchWords } from "../search-index/word-list.ts";
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
    readonly gate: WorkflowGate;
  },
  understanding: ReturnType<typeof createUnderstanding>,
  otherKinds: Readonly<Record<string, JobWork>>,
): Promise<{ readonly documents: DocumentService; readonly jobs: JobRunner }> {
  const { platformWork, now, logger, lifetime } = base;
  const jobs = new JobRunner({
    platformWork,
    kinds: {
      [documentJobKind]: documentWork({ ...base, ...uses, understanding: understanding.reader }),
      ...understanding.kinds,
      ...otherKinds,
    },
    retentionsMs: { [provisioningJobKind]: provisioningRetentionMs },
    concurrency,
    now,
    worker: base.worker,
    onError: (error, job) =>
      logger.error({
        event: "job-error",
        ...given({ jobId: job?.id, kind: job?.kind }),
        error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      }),
  });
  const documents = new DocumentService(base, {
    ...uses,
    jobs,
    classify: understanding.reader.classify,
    readiness: understanding.readiness,
    onRemoved: understanding.onRemoved,
  });
  await documents.recover();
  new RewrittenEntries(base, uses.words).start();
  await jobs.start();
  lifetime.onDrain((timeoutMs) => jobs.stop(timeoutMs));
  lifetime.onClose(() => jobs.stop(0));
  return { documents, jobs };
}
