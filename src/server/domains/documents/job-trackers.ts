import { finalJobStatuses, type DocumentJob } from "#contract/documents/jobs.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import type { Database } from "../../database/database.ts";
import { documentsByIds, documentsOfJob, type Document } from "./store/documents.ts";
import { countJobs, jobPage, settleDocuments } from "./store/document-jobs.ts";
import { getJob, type Job, type JobKey } from "../../jobs/store.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages, madeAt } from "../../http/lists/pages.ts";
import { documentJobKind, documentJobPayload } from "./document-job.ts";
import { documentJobOf } from "./wire.ts";

/** A stream also polls, in case a notification is lost. */
const pollIntervalMs = 5_000;

type JobQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** The trackers of document jobs (spec 2.6). */
export class DocumentJobs {
  constructor(
    private readonly options: {
      database: Database;
      jobs: JobRunner;
      cursors: ListCursors;
      now: () => Date;
    },
  ) {}

  /** 404 for an unknown job, 410 when its tracker has expired. */
  async get(key: JobKey): Promise<DocumentJob> {
    return this.#show(await this.#find(key));
  }

  async list(workspaceId: string, query: JobQuery): Promise<ListBody<DocumentJob>> {
    const { read } = this.options.database;
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
  async retry(key: JobKey): Promise<DocumentJob> {
    const found = await this.#find(key);
    if ((await this.#documentsOf(found)).length === 0) {
      throw notPossible(found, "its documents are deleted");
    }
    const change = await this.options.jobs.retry(key);
    if (change === undefined) throw new Refusal("not-found");
    if (!change.changed)
      throw notPossible(change.job, "only a failed, cancelled or incomplete job can be retried");
    return this.#show(change.job);
  }

  /** Stops a job that has not ended, and the process that extracts its document. */
  async cancel(key: JobKey): Promise<DocumentJob> {
    await this.#find(key);
    const change = await this.options.jobs.cancel(key);
    if (change === undefined) throw new Refusal("not-found");
    if (!change.changed) throw notPossible(change.job, "it has already ended");
    await this.options.database.write((writer) => settleDocuments(writer, this.options.now(), key));
    return this.#show(change.job);
  }

  /** The tracker now and after each change, until the job ends, from `lastEventId` on. */
  async *watch(
    key: JobKey,
    {
      lastEventId,
      signal,
    }: { readonly lastEventId?: string | undefined; readonly signal: AbortSignal },
  ): AsyncGenerator<{ readonly id: string; readonly data: DocumentJob }> {
    let changed = Promise.withResolvers<void>();
    const notify = (): void => changed.resolve();
    const unsubscribe = this.options.jobs.onChange(key, notify);
    signal.addEventListener("abort", notify);
    const timer = setInterval(notify, pollIntervalMs);
    try {
      let sent = lastEventId;
      while (!signal.aborted) {
        // Renewed before the read, so that a change during the read is not lost.
        changed = Promise.withResolvers();
        const job = await this.#find(key);
        const id = String(job.revision);
        if (id !== sent) {
          sent = id;
          yield { id, data: await this.#show(job) };
        }
        if (finalJobStatuses.has(job.state)) return;
        await changed.promise;
      }
    } finally {
      unsubscribe();
      clearInterval(timer);
      signal.removeEventListener("abort", notify);
    }
  }

  async #show(job: Job): Promise<DocumentJob> {
    return documentJobOf(job, await this.#documentsOf(job));
  }

  /** The job's documents that still exist; a later job may process them again. */
  async #documentsOf(job: Job): Promise<Document[]> {
    const found = await documentsByIds(
      this.options.database.read,
      job.workspaceId,
      documentIdsOf(job),
    );
    return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  async #find(key: JobKey): Promise<Job> {
    const { read } = this.options.database;
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

function documentIdsOf({ payload }: Job): readonly string[] {
  return documentJobPayload.parse(payload).documentIds;
}

function notPossible(job: Job, why: string): Refusal {
  return new Refusal("job-not-retryable", {
    detail: `The job is ${job.state}: ${why}`,
    members: { jobStatus: job.state },
  });
}
