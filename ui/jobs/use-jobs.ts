import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { DocumentJob } from "#client/index.ts";
import { foundRows } from "../kit/answers/found-rows.ts";
import type { PageRequest } from "../kit/answers/page-request.ts";
import { isActive } from "./words.ts";
import { selectedIn, type LiveList } from "../kit/lists/live-list.ts";
import { useSelected } from "../kit/state/store.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { usePart } from "../kit/state/part.ts";
import { progressPart } from "../shell/terminal/progress.ts";

// Refresh intervals while a job is active and the user looks.
const activeMs = 1_500;
const countActiveMs = 3_000;
const countedJobs = 20;

const keyOf = (job: DocumentJob) => job.jobId;

/** The text that a row must have; "" for all rows. */
interface RowSearch<Row> {
  readonly text: string;
  readonly has: (row: Row) => boolean;
}

/** The document jobs of the workspace, newest first; the selected one with its pushed events. */
export function useJobs(
  height: number,
  { text, has }: RowSearch<DocumentJob>,
): LiveList<DocumentJob> {
  const list = useList<DocumentJob>(
    ["documents.listJobs", text],
    (client, request, tenantId) => {
      const ask = (each: PageRequest) => client.useDocuments(tenantId).jobs(each);
      return text === "" ? ask(request) : foundRows(ask, request, has);
    },
    {
      keyOf,
      height,
      refreshMs: ({ sample }) => (sample.some(isActive) ? activeMs : undefined),
    },
  );
  const activeId = useSelected(list.cursor, () => {
    const job = selectedIn(list);
    return job !== undefined && isActive(job) ? job.jobId : undefined;
  });
  const pushed = usePushedJob(activeId);
  return useMemo(() => {
    if (pushed === undefined) return list;
    const rowAt = (index: number) => {
      const job = list.rowAt(index);
      const isNewer = (pushed.updatedAt ?? "") >= (job?.updatedAt ?? "");
      return job?.jobId === pushed.jobId && isNewer ? pushed : job;
    };
    return { ...list, rowAt };
  }, [list, pushed]);
}

/** The last event that the platform pushed; without events the polled list is enough. */
function usePushedJob(jobId: string | undefined): DocumentJob | undefined {
  const { client, tenantId } = usePlatform();
  const [pushed, setPushed] = useState<DocumentJob | undefined>(undefined);
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
  return pushed;
}

/** The number of active jobs, whose progress the terminal shows too. */
export function useMovingJobs(): number {
  const progress = usePart(progressPart);
  const { value } = useAnswer(
    ["jobs.moving"],
    async (client, signal, tenantId) => {
      const { items } = await client.useDocuments(tenantId).jobs({ limit: countedJobs, signal });
      const active = items.filter(isActive);
      return { count: active.length, share: sharedProgress(active) };
    },
    {
      shown: true,
      refreshMs: (moving) => ((moving?.count ?? 0) > 0 ? countActiveMs : Infinity),
    },
  );
  useEffect(() => {
    if (value === undefined || value.count === 0) progress.end("jobs");
    else progress.report("jobs", value.share);
  }, [value, progress]);
  return value?.count ?? 0;
}

/** The mean share of the jobs that is done; undefined where one of them does not report it. */
function sharedProgress(jobs: readonly DocumentJob[]): number | undefined {
  let sum = 0;
  for (const { percentCompleted } of jobs) {
    if (percentCompleted === undefined || percentCompleted === null) return undefined;
    sum += percentCompleted / 100;
  }
  return jobs.length === 0 ? undefined : sum / jobs.length;
}
