import { useEffect, useEffectEvent, useState } from "react";
import type { DocumentJob } from "#client/index.ts";
import { isMoving, jobName } from "./words.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useList } from "../shell/platform/use-list.ts";
import { useNotices } from "../shell/use-notices.tsx";
import { usePlatform } from "../shell/platform/use-platform.tsx";

/** While something moves the list is asked this often, else rarely. */
const movingMs = 1_500;
const restingMs = 20_000;

/** The same for the count of jobs that move, of the newest ones. */
const countedJobs = 20;
const countMovingMs = 3_000;
const countRestingMs = 30_000;

const keyOf = (job: DocumentJob) => job.jobId;

/** The document jobs of the workspace, newest first; asked more often while one of them moves. */
export function useJobs(height: number): LiveList<DocumentJob> {
  const { tenantId } = usePlatform();
  return useList<DocumentJob>(
    ["documents.listJobs"],
    (client, { page, cursor, limit, count, signal }) =>
      client
        .useDocuments(tenantId)
        .jobs({ page, cursor, limit, count: count || undefined, signal }),
    {
      keyOf,
      height,
      refreshMs: ({ sample }) => (sample.some(isMoving) ? movingMs : restingMs),
      enabled: tenantId !== undefined,
    },
  );
}

export interface JobActions {
  /** Runs an ended job again. */
  retry(job: DocumentJob): void;
  cancel(job: DocumentJob): void;
}

/** What can be done with a job; the user is told what came of it. */
export function useJobActions(onChanged: () => void): JobActions {
  const { client, tenantId } = usePlatform();
  const { say, sayFailure } = useNotices();
  const documents = client?.useDocuments(tenantId);
  const tell = (work: Promise<DocumentJob> | undefined, words: string) =>
    void work?.then(() => {
      say("done", words);
      onChanged();
    }, sayFailure);
  return {
    retry: (job) => tell(documents?.retryJob(job.jobId), `${jobName(job)} runs again`),
    cancel: (job) => tell(documents?.cancelJob(job.jobId), `${jobName(job)} was told to stop`),
  };
}

/**
 * The state of one job as the platform pushes it, until it ends. Nothing without events: the list
 * is polled anyway, so that a deployment that does not push is only slower.
 */
export function useJobEvents(job: DocumentJob | undefined): DocumentJob | undefined {
  const { client, tenantId } = usePlatform();
  const [pushed, setPushed] = useState<DocumentJob | undefined>(undefined);
  const jobId = job !== undefined && isMoving(job) ? job.jobId : undefined;
  const follow = useEffectEvent(async (id: string, signal: AbortSignal) => {
    if (client === undefined) return;
    const events = client.documents.job.events({ params: { jobId: id }, tenantId, signal });
    for await (const event of events) setPushed(event);
  });
  useEffect(() => {
    if (jobId === undefined) return undefined;
    const aborter = new AbortController();
    follow(jobId, aborter.signal).catch(() => {});
    return () => aborter.abort();
  }, [jobId, client]);
  if (job === undefined || pushed?.jobId !== job.jobId) return job;
  return (pushed.updatedAt ?? "") >= (job.updatedAt ?? "") ? pushed : job;
}

/** How many of the newest jobs are not ended yet. */
export function useMovingJobs(): number {
  const { tenantId } = usePlatform();
  const { value } = useAnswer(
    ["jobs.moving"],
    async (client, signal) => {
      const { items } = await client.useDocuments(tenantId).jobs({ limit: countedJobs, signal });
      return items.filter(isMoving).length;
    },
    {
      refreshMs: (moving) => ((moving ?? 0) > 0 ? countMovingMs : countRestingMs),
      enabled: tenantId !== undefined,
    },
  );
  return value ?? 0;
}
