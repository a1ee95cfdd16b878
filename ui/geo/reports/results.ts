import type { ReportResultInfo } from "#contract/geo/reports.ts";
import { readJob } from "#lib/job-outcome.ts";
import { useAct } from "../../kit/places/action.ts";
import { lineDetail } from "../../kit/places/line-detail.tsx";
import { listPlace, type PlaceNow, type PlaceTable } from "../../kit/places/list-place.tsx";
import { statusColumn } from "../../kit/table/status-column.ts";
import { fieldLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { ageWords, countWords, distanceWords } from "../../kit/text/words.ts";
import { statusLook } from "../../kit/theme/theme.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../../shell/platform/names.ts";
import { useRouter, type ShownReport } from "../../shell/router.ts";
import { geoKeys, type GeoFacts, type GeoKeys } from "../keys.ts";
import { resultCreation } from "./actions.ts";

interface Props {
  readonly report: ShownReport;
}

const keyOf = ({ result }: ReportResultInfo) => result;
/** The period of the refreshes while a result is made. */
const underWayMs = 1_000;
const isUnderWay = (result: ReportResultInfo) => readJob(result).outcome === "pending";
/** A count of a result; nothing before its end. */
const countIn = (result: ReportResultInfo, count: number | undefined) =>
  isUnderWay(result) ? "" : countOf(count);
const countOf = (count: number | undefined) => (count === undefined ? "" : countWords(count));
const originOf = ({ scheduled }: ReportResultInfo) => (scheduled === true ? "schedule" : "request");
const endOf = ({ finished_at: end, created_at: start }: ReportResultInfo) => end ?? start;

function useResultHandlers(now: PlaceNow<ReportResultInfo, PlaceTable<ReportResultInfo>, Props>) {
  const { props, table, opened } = now;
  const { report } = props;
  const { go } = useRouter();
  const act = useAct();
  return {
    openResult: opened.act((row) => {
      const rows = { result: row.result, at: endOf(row) ?? "" };
      go({ place: "geo", report, rows });
    }),
    makeResult: () =>
      act(resultCreation, report, (made) => {
        if (made !== undefined) table.list.reveal(made.result);
      }),
  };
}

function useResultState(row: ReportResultInfo | undefined): { readonly facts: GeoFacts } {
  return { facts: { resultStatus: row?.status } };
}

function useNamesOf(row: ReportResultInfo | undefined) {
  return { value: useNames(memberNamesPart, [row?.created_by]), failure: undefined };
}

/** The facts of a stored result; those that it does not have are left out. */
export function resultLines(
  result: ReportResultInfo,
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
  nameOf: NameOf,
): StyledLine[] {
  const { status, error, created_by: by = "", jobId = "" } = result;
  const { glyph, token } = statusLook(status);
  const when = (at: string | null | undefined) => (at ? `${distanceWords(at, nowMs)} · ${at}` : "");
  const fields = [
    { name: "state", value: `${glyph} ${status}`, as: token },
    { name: "error", value: error?.message ?? "", as: "bad" as const },
    { name: "made by", value: `${originOf(result)} ${nameOf(by) ?? by}`.trim() },
    { name: "rows", value: countIn(result, result.rowCount) },
    { name: "items read", value: countIn(result, result.items) },
    { name: "items in rows", value: countIn(result, result.placed) },
    { name: "began", value: when(result.created_at) },
    { name: "ended", value: when(result.finished_at) },
    { name: "job", value: jobId },
    { name: "result", value: result.result },
  ];
  return fieldLines(
    fields.filter(({ value }) => value !== ""),
    width,
  );
}

/** The stored results of a report, the newest first. */
export const Results = listPlace<ReportResultInfo, GeoKeys, Props>({
  name: ({ report }) => `results ${report.id}`,
  title: ({ props }) => `Results of ${props.report.title}`,
  loading: "Loading the stored results",
  listFacts: ["newest first"],
  list: ({ report }) => ({
    question: "geoReports.results",
    of: report.id,
    keyOf,
    refreshMs: (rows) => (rows.some(isUnderWay) ? underWayMs : undefined),
    ask: (client, { tenantId, signal, query }) =>
      client.geoReports.results({ tenantId, signal, query, params: { report: report.id } }),
  }),
  columns: (nowMs) => [
    {
      id: "made",
      title: "made",
      value: (row) => ageWords(endOf(row), nowMs),
      priority: 0,
      pinned: true,
      minimum: 8,
    },
    statusColumn({ priority: 1, title: "state", minimum: 12, of: ({ status }) => status }),
    {
      id: "rows",
      title: "rows",
      align: "right",
      value: (row) => countIn(row, row.rowCount),
      priority: 2,
    },
    {
      id: "items",
      title: "items",
      align: "right",
      value: (row) => countIn(row, row.items),
      priority: 4,
    },
    { id: "by", title: "by", value: originOf, priority: 3 },
    { id: "error", title: "error", value: ({ error }) => error?.message ?? "", priority: 5 },
  ],
  useHandlers: useResultHandlers,
  useRowKeys: useResultState,
  copied: keyOf,
  command: (_, { props }) => [["geo", "report", "results", props.report.id]],
  empty: {
    words: "This report has no stored results: each is made by a key or by its schedule.",
    offer: [geoKeys.makeResult, "makes one"],
  },
  Detail: lineDetail<ReportResultInfo, NameOf>({
    kind: "result",
    title: ({ result }) => result,
    keyOf,
    useFurther: useNamesOf,
    lines: (result, { value = () => undefined, ...area }) => resultLines(result, area, value),
  }),
});
