import { useEffect, useMemo } from "react";
import type { DocumentJob } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { failureReason } from "../kit/answers/failure.ts";
import { useAgeTime } from "../kit/keys/use-keys.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import {
  tablePlace,
  type DetailProps,
  type PlaceTable,
  type TableRequest,
} from "../kit/places/list-place.tsx";
import { rowHas, rowSearch } from "../kit/places/row-search.ts";
import { useStore } from "../kit/state/store.ts";
import { useNow } from "../kit/state/use-now.ts";
import type { Column } from "../kit/table/columns.ts";
import { clipMiddle } from "../kit/text/text-layout.ts";
import { ageWords, progressBar, sizeWords } from "../kit/text/words.ts";
import { Paint } from "../kit/theme/paint.tsx";
import { Text } from "../kit/theme/text.tsx";
import { shellKeys } from "../shell/keys.ts";
import { useRoute, useRouter } from "../shell/router.ts";
import { useUploads, type Upload } from "../shell/use-uploads.ts";
import { jobCancel, jobRetry } from "./actions.ts";
import type { JobFacts, JobKeys } from "./keys.ts";
import { useJobs } from "./use-jobs.ts";
import {
  hasReadText,
  isActive,
  jobLines,
  jobLook,
  jobName,
  jobProblem,
  jobState,
  jobStateWords,
  shortStageBar,
  stageBar,
  stageLines,
} from "./words.ts";

const barWidth = 20;

const stateWords = {
  sending: <Paint as="busy">▶ sending </Paint>,
  accepted: <Paint as="good">✓ accepted </Paint>,
  stopped: <Paint as="quiet">⊘ stopped </Paint>,
  failed: <Paint as="bad">✗ not sent </Paint>,
} as const;

function UploadLines(props: { readonly uploads: readonly Upload[]; readonly width: number }) {
  const nameWidth = Math.max(8, Math.min(40, props.width - 52));
  return props.uploads.map(({ id, state, filename, sentBytes, totalBytes, failure }) => {
    const isSending = state === "sending";
    const bar = `${progressBar(sentBytes / Math.max(1, totalBytes), barWidth)} `;
    const sizes = `${isSending ? `${sizeWords(sentBytes)} of ` : ""}${sizeWords(totalBytes)} `;
    return (
      <Text key={id} wrap="truncate-end">
        {" "}
        {stateWords[state]}
        {clipMiddle(filename, nameWidth)} {isSending ? <Paint as="busy">{bar}</Paint> : null}
        <Paint as="quiet">{sizes}</Paint>
        {failure === undefined ? null : <Paint as="bad">{failureReason(failure)}</Paint>}
      </Text>
    );
  });
}

const shownUploads = 3;

function jobColumns(nowMs: number): Column<DocumentJob>[] {
  return [
    { id: "document", title: "document", value: jobName, priority: 0, pinned: true, maximum: 28 },
    {
      id: "status",
      title: "status",
      value: (job) => `${jobLook(job).glyph} ${jobStateWords(job)}`,
      token: (job) => jobLook(job).token,
      priority: 1,
      minimum: 11,
      maximum: 24,
    },
    {
      id: "stages",
      title: "stages",
      value: (job) => jobProblem(job) || stageBar(job),
      shorter: (job) => jobProblem(job) || shortStageBar(job),
      priority: 2,
      minimum: 18,
      maximum: 80,
    },
    {
      id: "age",
      title: "started",
      value: (job) => ageWords(job.createdAt, nowMs),
      priority: 3,
    },
  ];
}

interface JobTable extends PlaceTable<DocumentJob> {
  readonly nowMs: number;
}

function useJobTable({ height, filter: { text } }: TableRequest): JobTable {
  const route = useRoute();
  const sent = useStore(useUploads().list);
  const waiting = useStore(useUploads().waiting);
  const shown = Math.min(shownUploads, sent.length);
  const rows = shown + (waiting > 0 ? 1 : 0);
  const has = (job: DocumentJob) => rowHas(jobColumns(Date.now()), job, text);
  const list = useJobs(Math.max(1, height - rows), { text, has });
  const ageTimeMs = useAgeTime(list.sample);
  const secondsMs = useNow(list.sample.some(isActive) ? 1_000 : undefined);
  const nowMs = Math.max(ageTimeMs, secondsMs);
  const columns = useMemo(() => jobColumns(nowMs), [nowMs]);
  const routeJobId = route.place === "jobs" ? route.jobId : undefined;
  const { reveal } = list;
  useEffect(() => {
    if (routeJobId !== undefined) reveal(routeJobId);
  }, [routeJobId, reveal]);
  const draw = (width: number) => (
    <>
      <UploadLines uploads={sent.slice(0, shown)} width={width} />
      {waiting > 0 ? (
        <Paint as="quiet">{` ◌ ${counted(waiting, "file")} more to send`}</Paint>
      ) : null}
    </>
  );
  return { list, columns, nowMs, facts: ["newest first"], above: { rows, draw } };
}

function useUploadKeys() {
  const uploads = useUploads();
  const sent = useStore(uploads.list);
  return {
    upload: uploads.start,
    stopUpload: sent.some(({ state }) => state === "sending") ? uploads.stop : undefined,
    sendAgain: uploads.canSendAgain() ? uploads.sendAgain : undefined,
  };
}

/** The state of the selected job decides about its keys. */
function useJobState(job: DocumentJob | undefined) {
  const { go } = useRouter();
  const documentId = job?.documentId ?? job?.documents?.[0]?.documentId;
  const facts: JobFacts = {
    jobStatus: job && jobState(job),
    hasText: job && hasReadText(job),
  };
  const readText =
    documentId === undefined ? undefined : () => go({ place: "documents", documentId });
  return { facts, handlers: { readText } };
}

const uploadOffer = [shellKeys.upload, "uploads a file"] as const;

export const JobsScreen = tablePlace<DocumentJob, JobKeys, JobTable>({
  name: "jobs",
  title: "Jobs",
  loading: "Loading jobs",
  search: rowSearch("jobs"),
  useTable: useJobTable,
  actions: { retry: jobRetry, cancelJob: jobCancel },
  useHandlers: useUploadKeys,
  useRowKeys: useJobState,
  news: { place: "jobs", idOf: ({ jobId }) => jobId },
  command: (job) => job && [["docs", "job", job.jobId], { wait: true }],
  missing: {
    words: "This platform does not list jobs. `svc docs job <jobId>` shows one.",
    offer: uploadOffer,
  },
  empty: {
    words: "No document has been sent yet: this list shows one job per upload.",
    offer: uploadOffer,
  },
  Detail: JobDetail,
});

const jobKey = ({ jobId }: DocumentJob) => jobId;

function JobDetail({ shown, table, area, focused }: DetailProps<DocumentJob, JobTable>) {
  const { row: job } = shown;
  const { nowMs } = table;
  const views = useMemo(
    () => ({
      job: (one: DocumentJob, width: number) => [
        ...stageLines(one, width, nowMs),
        [],
        ...jobLines(one, width, nowMs),
      ],
    }),
    [nowMs],
  );
  return (
    <DetailPane<DocumentJob>
      area={area}
      focused={focused}
      kind="job"
      title={job === undefined ? "details" : jobName(job)}
      item={job}
      keyOf={jobKey}
      views={views}
    />
  );
}
