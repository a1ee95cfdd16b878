import { useEffect, useEffectEvent, useState } from "react";
import type { DocumentJob } from "#client/index.ts";
import { isMoving } from "../job-words.ts";
import { useList, type LiveList } from "./use-list.ts";
import { usePlatform } from "./use-platform.tsx";

/** While something moves the list is asked this often, else rarely. */
const movingMs = 1_500;
const restingMs = 20_000;

const keyOf = (job: DocumentJob) => job.jobId;

/** The document jobs of the workspace, newest first; asked more often while one of them moves. */
export function useJobs(height: number): LiveList<DocumentJob> {
  const { session } = usePlatform();
  const tenantId = session.workspace?.id;
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

/**
 * The state of one job as the platform pushes it, until it ends. Nothing without events: the list
 * is polled anyway, so that a deployment that does not push is only slower.
 */
export function useJobEvents(job: DocumentJob | undefined): DocumentJob | undefined {
  const { client, session } = usePlatform();
  const [pushed, setPushed] = useState<DocumentJob | undefined>(undefined);
  const jobId = job !== undefined && isMoving(job) ? job.jobId : undefined;
  const tenantId = session.workspace?.id;
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
