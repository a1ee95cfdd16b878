import type { DocumentJob } from "#contract/documents/jobs.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import { invalid } from "../../../kit/faults.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import type { Facts, Transaction, Work } from "../../../work/work.ts";
import { enqueueJob, getJob } from "../../../jobs/store.ts";
import { documentJobKind, documentStages } from "../document-job.ts";
import { documentById, startDocumentJob } from "../store/documents.ts";
import type { Document } from "../store/documents.ts";
import { unsupportedMode } from "../upload/upload-scope.ts";
import { documentJobOf, storagePathOf } from "../wire.ts";

/**
 * Queues a job that indexes a stored document again (spec 4.1). 409 while another job processes it,
 * and 422 for another storage path or a lifecycle without an index (spec 4.1 rule 5). `remember`
 * runs in the transaction, with the job.
 */
export async function ragIndex(
  work: Work,
  { jobs, now }: { readonly jobs: JobRunner; readonly now: () => Date },
  request: { readonly document: Document; readonly storagePath: string | undefined },
  remember: (job: DocumentJob, facts: Facts) => void,
): Promise<DocumentJob> {
  const { document, storagePath } = request;
  if (storagePath !== undefined && storagePath !== storagePathOf(document)) {
    const detail = "is not the storage path of this document";
    throw invalid([{ pointer: pointer("storagePath"), detail }]);
  }
  const refusal = unsupportedMode(document.lifecycle, "rag");
  if (refusal !== undefined) throw refusal;
  return work.write(async (tx) => {
    const queued = await enqueue(tx, document, { oid: work.scope.caller, now: now() });
    remember(queued, tx);
    tx.afterCommit(() => jobs.wake());
    return queued;
  });
}

async function enqueue(
  tx: Transaction,
  { workspaceId, id }: Document,
  { oid, now }: { readonly oid: string; readonly now: Date },
): Promise<DocumentJob> {
  const document = await documentById(tx, { workspaceId, id });
  if (document === undefined || document.status === "deleting") throw new Refusal("not-found");
  if (document.status === "queued" || document.status === "processing") {
    throw new Refusal("conflict", {
      detail: `${document.number} is ${document.status}: wait for its job ${document.jobId}`,
      members: { jobId: document.jobId },
    });
  }
  const jobId = Bun.randomUUIDv7();
  await startDocumentJob(tx, document, jobId, now);
  await enqueueJob(
    tx,
    {
      workspaceId,
      id: jobId,
      kind: documentJobKind,
      payload: { documentIds: [id], mode: "rag" },
      stages: [...documentStages("full")],
      createdBy: oid,
    },
    now,
  );
  const job = await getJob(tx, { workspaceId, id: jobId });
  const current = await documentById(tx, { workspaceId, id });
  if (job === undefined || current === undefined) throw new TypeError("the job was not stored");
  return documentJobOf(job, [current]);
}
