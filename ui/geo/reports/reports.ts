import type { GeoReport } from "#contract/geo/reports.ts";
import { lineDetail } from "../../kit/places/line-detail.tsx";
import { listPlace } from "../../kit/places/list-place.tsx";
import { distanceWords } from "../../kit/text/words.ts";
import { memberNamesPart } from "../../shell/platform/member-names.ts";
import { useNames, type NameOf } from "../../shell/platform/names.ts";
import { geoKeys, type GeoKeys } from "../keys.ts";
import { reportRemoval } from "./actions.ts";
import { byWords, reportLines, reportTitle, sourceWords } from "./report-words.ts";
import { useReportHandlers } from "./use-report-handlers.ts";

const keyOf = ({ report }: GeoReport) => report;

function useNamesOf(row: GeoReport | undefined) {
  const people = [row?.created_by, row?.updated_by, row?.scheduled_by];
  return { value: useNames(memberNamesPart, people), failure: undefined };
}

/** The reports by place, the newest first, with their schedules. */
export const Reports = listPlace<GeoReport, GeoKeys>({
  name: "geo reports",
  title: "Reports",
  loading: "Loading the reports",
  list: {
    question: "geoReports.list",
    keyOf,
    ask: (client, { tenantId, signal, query }) =>
      client.geoReports.list({ tenantId, signal, query }),
  },
  columns: (nowMs) => [
    { id: "report", title: "report", value: keyOf, priority: 0, pinned: true, minimum: 16 },
    { id: "of", title: "counts", value: sourceWords, priority: 1, maximum: 50 },
    { id: "by", title: "by", value: byWords, priority: 2, maximum: 50 },
    {
      id: "next",
      title: "next",
      value: ({ due_at: at }) => (at === undefined ? "" : distanceWords(at, nowMs)),
      priority: 3,
    },
    { id: "title", title: "title", value: ({ title }) => title ?? "", priority: 4 },
  ],
  actions: { deleteReport: reportRemoval },
  useHandlers: useReportHandlers,
  copied: keyOf,
  command: (row) =>
    row === undefined ? [["geo", "report", "list"]] : [["geo", "report", "show", row.report]],
  missing: { words: "This platform has no reports by place." },
  empty: {
    words: "This workspace has no reports by place.",
    offer: [geoKeys.createReport, "creates one"],
  },
  Detail: lineDetail<GeoReport, NameOf>({
    kind: "report",
    title: reportTitle,
    keyOf,
    useFurther: useNamesOf,
    lines: (report, { value, ...area }) => reportLines(report, area, value),
  }),
});
