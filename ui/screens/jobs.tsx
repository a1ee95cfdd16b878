import { useEffect, useMemo } from "react";
import type { DocumentJob } from "#client/index.ts";
import type { Column } from "../columns.ts";
import { commandLine } from "../command-line.ts";
import { DetailPane } from "../components/detail-pane.tsx";
import { ListDetail } from "../components/list-detail.tsx";
import { listRows } from "../components/list-pane.tsx";
import { UploadLines } from "../components/upload-lines.tsx";
import { useCopy } from "../hooks/use-copy.ts";
import { useHeldRow } from "../hooks/use-held-row.ts";
import { useJobActions, useJobEvents, useJobs } from "../hooks/use-jobs.ts";
import { useKeys } from "../hooks/use-keys.tsx";
import { useMasterDetail } from "../hooks/use-master-detail.ts";
import { useNow } from "../hooks/use-now.ts";
import { useRouter } from "../hooks/use-router.tsx";
import { useUploads } from "../hooks/use-uploads.tsx";
import { useRole } from "../hooks/use-workspaces.ts";
import {
  hasReadText,
  isMoving,
  jobLines,
  jobName,
  jobProblem,
  shortStageBar,
  stageBar,
  stageLines,
} from "../job-words.ts";
import { statusLook, statusWords } from "../theme.ts";
import { ageWords } from "../words.ts";
import { keyOffer } from "../keys.ts";

const shownUploads = 3;

function jobColumns(nowMs: number): Column<DocumentJob>[] {
  return [
    { id: "document", title: "document", value: jobName, priority: 0, pinned: true, maximum: 28 },
    {
      id: "status",
      title: "status",
      value: (job) => `${statusLook(job.status).glyph} ${statusWords(job.status)}`,
      token: (job) => statusLook(job.status).token,
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
      minimum: 28,
      maximum: 80,
    },
    {
      id: "age",
      title: "begun",
      value: (job) => ageWords(job.createdAt, nowMs),
      priority: 3,
      minimum: 9,
    },
  ];
}

/** The document jobs: one row each, live, with retry and cancel. */
export function JobsScreen() {
  const { route, go, back } = useRouter();
  const copy = useCopy();
  const uploads = useUploads();
  const role = useRole();
  const panes = useMasterDetail(true);
  const uploadRows = Math.min(shownUploads, uploads.uploads.length);
  const list = useJobs(listRows(panes.listHeight - uploadRows));
  const selected = useJobEvents(useHeldRow("jobs", list, panes.detailChosen).row);
  // The row says what the details do: what was pushed is newer than the list.
  const live = {
    ...list,
    rowAt: (index: number) => {
      const row = list.rowAt(index);
      return row !== undefined && row.jobId === selected?.jobId ? selected : row;
    },
  };
  const nowMs = useNow(list.sample.some(isMoving) ? 1_000 : 30_000);
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
  const wanted = route.place === "jobs" ? route.jobId : undefined;
  const { refresh, select } = list;
  const actions = useJobActions(refresh);
  useEffect(() => {
    if (wanted === undefined) return;
    select(wanted);
    refresh();
  }, [wanted, refresh, select]);

  const hasText = selected === undefined ? undefined : hasReadText(selected);
  const documentId = selected?.documentId ?? selected?.documents?.[0]?.documentId;
  useKeys(
    "place",
    {
      upload: uploads.start,
      stopUpload: uploads.stop,
      sendAgain: uploads.sendAgain,
      retry: () => selected !== undefined && actions.retry(selected),
      cancelJob: () => selected !== undefined && actions.cancel(selected),
      readText: documentId === undefined ? undefined : () => go({ place: "documents", documentId }),
      copyCommand: () =>
        selected !== undefined && copy(commandLine(["docs", "job", selected.jobId, "--wait"])),
      goBack: panes.detailFocused ? panes.close : back,
    },
    { facts: { rows: list.count, jobStatus: selected?.status, hasText } },
  );
  return (
    <ListDetail<DocumentJob>
      panes={panes}
      above={{
        rows: uploadRows,
        draw: (width) => (
          <UploadLines uploads={uploads.uploads.slice(0, uploadRows)} width={width} />
        ),
      }}
      title="Jobs"
      facts={["newest first"]}
      list={live}
      columns={columns}
      loading="Loading jobs"
      empty={{
        words: "No document has been sent yet: each upload gets a job that can be watched here.",
        next: `${keyOffer("upload", "uploads a file", role)}.`,
      }}
      keyFacts={{ jobStatus: selected?.status }}
      detail={(area, focused) => (
        <DetailPane<DocumentJob>
          key="detail"
          area={area}
          kind="job"
          title={selected === undefined ? "details" : jobName(selected)}
          item={selected}
          keyOf={(job) => job.jobId}
          views={views}
          focused={focused}
        />
      )}
    />
  );
}
