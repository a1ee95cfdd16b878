import { finalJobStatuses, type DocumentJob } from "#contract/documents/jobs.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Reader } from "../../database/database.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import type { Work } from "../../work/work.ts";
import { documentsByIds, documentsOfJob, type Document } from "./store/documents.ts";
import { countJobs, jobPage, settleDocuments } from "./store/document-jobs.ts";
import { getJob, type Job, type JobChange, type JobKey } from "../../jobs/store.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import { documentJobKind, documentJobPayload } from "./document-job.ts";
import { documentJobOf } from "./wire.ts";

/** A stream also polls, in case a notification is lost. */
const pollIntervalMs = 5_000;

type JobQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** The trackers of document jobs (spec 2.6). */
export class DocumentJobs {
  constructor(
    private readonly options: {
      readonly jobs: JobRunner;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  /** 404 for an unknown job, 410 when its tracker has expired. */
  async get({ read }: Work, key: JobKey): Promise<DocumentJob> {
    return shown(read, await this.#find(read, key));
  }

  async list({ read }: Work, workspaceId: string, query: JobQuery): Promise<ListBody<DocumentJob>> {
    const kind = documentJobKind;
    const pages = new ListPages(this.options.cursors, ["jobs", workspaceId]);
    const start = pages.start(query);
    const { offset } = start;
    const after = madeAt(start.after);
    const rows = await jobPage(read, { workspaceId, kind, limit: start.rows, after, offset });
    const shown = new Set(rows.slice(0, start.limit).map(({ id }) => id));
    const jobs = rows.filter(({ id }) => shown.has(id));
    const documents = await documentsByIds(read, workspaceId, jobs.flatMap(documentIdsOf));
    const known = new Map(documents.map((document) => [document.id, document]));
    return pages.body(start, {
      rows,
      itemOf: (job) =>
        documentJobOf(
          job,
          documentIdsOf(job).flatMap((id) => known.get(id) ?? []),
        ),
      positionOf: ({ createdAt, id }) => [createdAt, id],
      total: query.count === true ? await countJobs(read, { workspaceId, kind }) : undefined,
    });
  }

  /** Queues a failed, cancelled or incomplete job again, from its last good stage. */
  async retry(work: Work, key: JobKey): Promise<DocumentJob> {
    const found = await this.#find(work.read, key);
    if ((await documentsOf(work.read, found)).length === 0) {
      throw notPossible(found, "its documents are deleted");
    }
    const job = await work.write(async (tx) =>
      changed(
        await this.options.jobs.retry(tx, key),
        "only a failed, cancelled or incomplete job can be retried",
      ),
    );
    return shown(work.read, job);
  }

  /** Stops a job that has not ended, and the process that extracts its document. */
  async cancel(work: Work, key: JobKey): Promise<DocumentJob> {
    await this.#find(work.read, key);
    const job = await work.write(async (tx) => {
      const cancelled = changed(await this.options.jobs.cancel(tx, key), "it has already ended");
      await settleDocuments(tx, this.options.now(), key);
      return cancelled;
    });
    return shown(work.read, job);
  }

  /** The tracker now and after each change, until the job ends, from `lastEventId` on. */
  async *watch(
    { read }: Work,
    key: JobKey,
    {
      lastEventId,
      signal,
    }: { readonly lastEventId?: string | undefined; readonly signal: AbortSignal },
  ): AsyncGenerator<{ readonly id: string; readonly data: DocumentJob }> {
    let change = Promise.withResolvers<void>();
    const notify = (): void => change.resolve();
    const unsubscribe = this.options.jobs.onChange(key, notify);
    signal.addEventListener("abort", notify);
    const timer = setInterval(notify, pollIntervalMs);
    try {
      let sent = lastEventId;
      while (!signal.aborted) {
        // Renewed before the read, so that a change during the read is not lost.
        change = Promise.withResolvers();
        const job = await this.#find(read, key);
        const id = String(job.revision);
        if (id !== sent) {
          sent = id;
          yield { id, data: await shown(read, job) };
        }
        if (finalJobStatuses.has(job.state)) return;
        await change.promise;
      }
    } finally {
      unsubscribe();
      clearInterval(timer);
      signal.removeEventListener("abort", notify);
    }
  }

  async #find(read: Reader, key: JobKey): Promise<Job> {
    const job = await getJob(read, key);
    if (job !== undefined && job.kind !== documentJobKind) throw new Refusal("not-found");
    const isExpired =
      typeof job?.expiresAt === "string" && job.expiresAt <= this.options.now().toISOString();
    if (job !== undefined && !isExpired) return job;
    const isKnown = isExpired || (await documentsOfJob(read, key.workspaceId, key.id)).length > 0;
    if (!isKnown) throw new Refusal("not-found");
    throw new Refusal("job-expired", {
      detail: "The tracker of this job has expired: read the records of its documents",
    });
  }
}

async function shown(read: Reader, job: Job): Promise<DocumentJob> {
  return documentJobOf(job, await documentsOf(read, job));
}

/** The job's documents that still exist; a later job may process them again. */
async function documentsOf(read: Reader, job: Job): Promise<Document[]> {
  const found = await documentsByIds(read, job.workspaceId, documentIdsOf(job));
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** The changed job; refuses one that has not changed, with the reason. */
function changed(change: JobChange, why: string): Job {
  if (change === undefined) throw new Refusal("not-found");
  if (!change.changed) throw notPossible(change.job, why);
  return change.job;
}

function documentIdsOf({ payload }: Job): readonly string[] {
  return documentJobPayload.parse(payload).documentIds;
}

function notPossible(job: Job, why: string): Refusal {
  return new Refusal("job-not-retryable", {
    detail: `The job is ${job.state}: ${why}`,
    members: { jobStatus: job.state },
  });
}
