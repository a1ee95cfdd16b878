import type { JobFacts, JobKeys } from "./keys.ts";
import { shellKeys } from "../shell/keys.ts";
import { useEffect, useMemo } from "react";
import type { DocumentJob } from "#client/index.ts";
import type { Column } from "../kit/table/columns.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import { ListDetail } from "../kit/lists/list-detail.tsx";
import { listRows } from "../kit/lists/list-pane.tsx";
import { useCopyCommand } from "../shell/use-copy.ts";
import { useOpenedRow } from "../kit/lists/use-opened-row.ts";
import { useJobActions, useJobs } from "./use-jobs.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useSelected, useStore } from "../kit/state/store.ts";
import { useNow } from "../kit/state/use-now.ts";
import { useRoute, useRouter } from "../shell/use-router.ts";
import { useUploads, type Upload } from "../shell/use-uploads.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
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
import { ageWords, progressBar, sizeWords } from "../kit/text/words.ts";
import { keyOffer } from "../kit/keys/keys.ts";
import { Text } from "../kit/theme/text.tsx";
import { failureReason } from "../kit/answers/failure.ts";
import { clipMiddle } from "../kit/text/text-layout.ts";
import { Paint } from "../kit/theme/paint.tsx";

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

const stateOf = (job: DocumentJob | undefined) => job && jobState(job);
const textOf = (job: DocumentJob | undefined) => job && hasReadText(job);
const documentOf = (job: DocumentJob | undefined) =>
  job?.documentId ?? job?.documents?.[0]?.documentId;

export function JobsScreen() {
  const { go, back } = useRouter();
  const route = useRoute();
  const copyCommand = useCopyCommand();
  const uploads = useUploads();
  const sent = useStore(uploads.list);
  const role = useRole();
  const panes = useMasterDetail(true);
  const uploadRows = Math.min(shownUploads, sent.length);
  const list = useJobs(listRows(panes.listHeight - uploadRows));
  const opened = useOpenedRow("jobs", list, panes.detailChosen);
  const ageTimeMs = useAgeTime(list.sample);
  const secondsMs = useNow(list.sample.some(isActive) ? 1_000 : undefined);
  const nowMs = Math.max(ageTimeMs, secondsMs);
  const columns = useMemo(() => jobColumns(nowMs), [nowMs]);
  const views = useMemo(
    () => ({
      job: (job: DocumentJob, width: number) => [
        ...stageLines(job, width, nowMs),
        [],
        ...jobLines(job, width, nowMs),
      ],
    }),
    [nowMs],
  );
  const routeJobId = route.place === "jobs" ? route.jobId : undefined;
  const { refresh, reveal } = list;
  const actions = useJobActions(refresh);
  useEffect(() => {
    if (routeJobId !== undefined) reveal(routeJobId);
  }, [routeJobId, reveal]);
  const openedRow = () => opened.get().row;
  const jobStatus = useSelected(list.cursor, () => stateOf(openedRow()));
  const hasText = useSelected(list.cursor, () => textOf(openedRow()));
  const hasDocument = useSelected(list.cursor, () => documentOf(openedRow()) !== undefined);
  const read = opened.act((job) => {
    const documentId = documentOf(job);
    if (documentId !== undefined) go({ place: "documents", documentId });
  });
  useKeys<JobKeys, JobFacts>(
    "place",
    {
      upload: uploads.start,
      stopUpload: sent.some(({ state }) => state === "sending") ? uploads.stop : undefined,
      sendAgain: uploads.canSendAgain() ? uploads.sendAgain : undefined,
      retry: opened.act(actions.retry),
      cancelJob: opened.act(actions.cancel),
      readText: hasDocument ? read : undefined,
      copyCommand: opened.act(({ jobId }) =>
        copyCommand.inWorkspace(["docs", "job", jobId], { wait: true }),
      ),
      goBack: panes.detailFocused ? panes.close : back,
    },
    { facts: { rows: list.count, jobStatus, hasText } },
  );
  return (
    <ListDetail<DocumentJob>
      panes={panes}
      opened={opened}
      above={{
        rows: uploadRows,
        draw: (width) => <UploadLines uploads={sent.slice(0, uploadRows)} width={width} />,
      }}
      title="Jobs"
      facts={["newest first"]}
      list={list}
      columns={columns}
      loading="Loading jobs"
      missing={{
        words: "This platform does not list jobs. `svc docs job <jobId>` shows one.",
        next: `${keyOffer(shellKeys.upload, "uploads a file", role)}.`,
      }}
      empty={{
        words: "No document has been sent yet: this list shows one job per upload.",
        next: `${keyOffer(shellKeys.upload, "uploads a file", role)}.`,
      }}
      detail={({ row: job }, area, focused) => (
        <DetailPane<DocumentJob>
          area={area}
          kind="job"
          title={job === undefined ? "details" : jobName(job)}
          item={job}
          keyOf={({ jobId }) => jobId}
          views={views}
          focused={focused}
        />
      )}
    />
  );
}
