import {
  hasTrouble,
  isDone,
  jobTrouble,
  readEach,
  type FailureRule,
} from "../shell/platform/feed/failure-watch.ts";

/** Each report with a schedule is one request more. */
const maximumReports = 100;
const reportKind = "geo-report";

/** Reports whose schedule has failed, and imports of features. */
export const geoFailures: readonly FailureRule[] = [
  {
    name: "schedules of reports",
    place: "geo",
    nouns: ["document.job", "setting"],
    judge: (change) =>
      hasTrouble(change, reportKind) ? "A report by place could not be made" : undefined,
    mayEnd: (change) =>
      isDone(change, reportKind) ||
      (change.kind === reportKind && change.type.startsWith("svc.setting.")),
    read: async (client, { tenantId, signal }) => {
      const query = { limit: maximumReports };
      const { items } = await client.geoReports.list({ tenantId, signal, query });
      const scheduled = items.filter(({ schedule }) => schedule !== undefined);
      return readEach(scheduled, async ({ report, title }) => {
        const results = await client.geoReports.results({
          tenantId,
          signal,
          params: { report },
          query: { limit: 1 },
        });
        return results.items
          .filter(({ status }) => status === "failed")
          .map(({ result, error }) => ({
            id: result,
            words: `${title ?? report}: ${error?.message ?? "its schedule has failed"}`,
          }));
      });
    },
  },
  {
    name: "imports of features",
    place: "geo",
    nouns: ["document.job"],
    judge: (change) => jobTrouble(change, "geo-import", "An import of features"),
  },
];
