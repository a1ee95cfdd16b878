import type { GeoReport, ReportResultInfo } from "#contract/geo/reports.ts";
import type { Action } from "../../kit/places/action.ts";
import type { ShownReport } from "../../shell/router.ts";
import { reportTitle } from "./report-words.ts";

export const reportRemoval: Action<GeoReport> = {
  question: {
    title: (report) => `Delete ${reportTitle(report)}`,
    effects: () => [
      "the report, its schedule and its stored results",
      "the records and features that it counts stay",
    ],
    command: ({ report }) => [["geo", "report", "delete", report], { force: true }],
  },
  removes: true,
  run: async (client, { report }, tenantId) => {
    await client.geoReports.remove({ tenantId, params: { report } });
    return true;
  },
  done: (report) => `deleted ${reportTitle(report)}`,
};

/** Starts a job that makes a stored result. */
export const resultCreation: Action<ShownReport, ReportResultInfo> = {
  run: (client, { id: report }, tenantId) =>
    client.geoReports.startResult({ tenantId, params: { report } }),
  done: ({ title }) => `making a result of ${title}`,
};
