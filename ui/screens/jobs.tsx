import { Box } from "ink";
import { useEffect, useMemo, useState } from "react";
import type { DocumentJob } from "#client/index.ts";
import type { Column } from "../columns.ts";
import { commandLine } from "../command-line.ts";
import { ListPane, listRows } from "../components/list-pane.tsx";
import { MasterDetail, type Area } from "../components/master-detail.tsx";
import { Pane, paneBorder } from "../components/pane.tsx";
import { ScrollView } from "../components/scroll-view.tsx";
import { Empty } from "../components/states.tsx";
import { UploadLines } from "../components/upload-lines.tsx";
import { useCopy } from "../hooks/use-copy.ts";
import { useJobEvents, useJobs } from "../hooks/use-jobs.ts";
import { useKeys } from "../hooks/use-keys.tsx";
import { useLayout } from "../hooks/use-layout.tsx";
import { useNotices } from "../hooks/use-notices.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePanes } from "../hooks/use-panes.tsx";
import { usePlatform } from "../hooks/use-platform.tsx";
import { useRouter } from "../hooks/use-router.tsx";
import { useUploads } from "../hooks/use-uploads.tsx";
import { isMoving, jobLines, jobName, jobProblem, stageBar, stageLines } from "../job-words.ts";
import { splitOf } from "../layout.ts";
import { statusLook, statusWords } from "../theme.ts";
import { ageWords } from "../words.ts";

const panes = ["list", "detail"];
const shownUploads = 3;

function jobColumns(nowMs: number): Column<DocumentJob>[] {
  return [
    { id: "document", title: "document", value: jobName, priority: 0, pinned: true, minimum: 16 },
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
      priority: 2,
      minimum: 20,
      maximum: 72,
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
  const layout = useLayout();
  const { route, go, back } = useRouter();
  const { client, session } = usePlatform();
  const { say, sayFailure } = useNotices();
  const copy = useCopy();
  const uploads = useUploads();
  const [detailOpen, setDetailOpen] = useState(false);
  const { focused, focus } = usePanes(panes);
  const split = splitOf(layout);
  const uploadRows = Math.min(shownUploads, uploads.uploads.length);
  const listHeight = (split?.list.height ?? layout.height) - uploadRows;
  const list = useJobs(listRows(listHeight));
  const selected = useJobEvents(list.selected);
  const nowMs = useNow(list.sample.some(isMoving) ? 1_000 : 30_000);
  const columns = useMemo(() => jobColumns(nowMs), [nowMs]);
  const jobs = client?.useDocuments(session.workspace?.id);
  const wanted = route.place === "jobs" ? route.jobId : undefined;
  const { refresh } = list;
  useEffect(() => {
    if (wanted !== undefined) refresh();
  }, [wanted, refresh]);

  const act = (work: Promise<DocumentJob> | undefined, words: string) =>
    work?.then(() => {
      say("done", words);
      refresh();
    }, sayFailure);
  const inDetail = split === undefined ? detailOpen : focused === "detail";
  const close = () => {
    setDetailOpen(false);
    focus("list");
  };
  const documentId = selected?.documentId ?? selected?.documents?.[0]?.documentId;
  useKeys(
    "place",
    {
      upload: uploads.start,
      retry: () =>
        selected !== undefined &&
        void act(jobs?.retryJob(selected.jobId), `${jobName(selected)} runs again`),
      cancelJob: () =>
        selected !== undefined &&
        void act(jobs?.cancelJob(selected.jobId), `${jobName(selected)} was told to stop`),
      readText: documentId === undefined ? undefined : () => go({ place: "documents", documentId }),
      copyCommand: () =>
        selected !== undefined && copy(commandLine(["docs", "job", selected.jobId, "--wait"])),
      goBack: inDetail ? close : back,
    },
    { facts: { rows: list.count, jobStatus: selected?.status } },
  );
  const drawList = (area: Area) => (
    <Box key="list" flexDirection="column" flexShrink={0} width={area.width} height={area.height}>
      {uploadRows > 0 ? (
        <UploadLines uploads={uploads.uploads.slice(0, uploadRows)} width={area.width} />
      ) : null}
      <ListPane<DocumentJob>
        title="Jobs"
        facts={["newest first"]}
        list={list}
        columns={columns}
        width={area.width}
        height={area.height - uploadRows}
        focused={focused === "list" && (split !== undefined || !detailOpen)}
        loading="Loading jobs"
        empty={{
          words: "No document has been sent yet: each upload gets a job that can be watched here.",
          next: "u uploads a file.",
        }}
        keyFacts={{ jobStatus: selected?.status }}
        handlers={{
          open: () => {
            setDetailOpen(true);
            focus("detail");
          },
        }}
      />
    </Box>
  );
  return (
    <MasterDetail
      detailOpen={detailOpen}
      list={drawList}
      detail={(area) => (
        <JobDetail
          key="detail"
          area={area}
          job={selected}
          nowMs={nowMs}
          focused={split === undefined ? detailOpen : focused === "detail"}
        />
      )}
    />
  );
}

function JobDetail(props: {
  readonly area: Area;
  readonly job: DocumentJob | undefined;
  readonly nowMs: number;
  readonly focused: boolean;
}) {
  const { area, job, nowMs, focused } = props;
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  const lines =
    job === undefined
      ? []
      : [
          ...stageLines(job, inner.width, nowMs),
          [],
          ...jobLines(job, inner.width - 2, nowMs).map((line) => [{ text: " " }, ...line]),
        ];
  return (
    <Pane
      title={job === undefined ? "details" : jobName(job)}
      width={area.width}
      height={area.height}
      focused={focused}
    >
      {job === undefined ? (
        <Empty {...inner} words="Nothing is selected." />
      ) : (
        <ScrollView key={job.jobId} lines={lines} {...inner} focused={focused} />
      )}
    </Pane>
  );
}
