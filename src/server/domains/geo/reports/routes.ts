import { Answer, type DomainHandlers, type WorkspaceContext } from "../../../http/handler.ts";
import { accepts } from "../../../http/request-headers.ts";
import type { GeoDatasets } from "../datasets/service.ts";
import { csvResult, geojsonResult, jsonResult } from "./report-forms.ts";
import type { ReportPlace } from "./reports.ts";
import type { PlacedResult, ReportRuns } from "./run-report.ts";

export function geoReportHandlers({
  geoDatasets: { reports, results },
  reportRuns: runs,
}: {
  readonly geoDatasets: GeoDatasets;
  readonly reportRuns: ReportRuns;
}): DomainHandlers<"geoReports"> {
  return {
    list: ({ query }, { work, workspace }) => reports.list(work, workspace.id, query),
    create: ({ body }, context) => reports.create(context.work, placeIn(context, ""), body),
    get: ({ params }, context) => reports.get(context.work, placeIn(context, params.report)),
    replace: ({ params, body }, context) =>
      reports.replace(context.work, placeIn(context, params.report), body, context.ifMatch),
    update: ({ params, body }, context) =>
      reports.update(context.work, placeIn(context, params.report), body, context.ifMatch),
    async remove({ params }, context) {
      await reports.remove(context.work, placeIn(context, params.report), context.ifMatch);
      return undefined;
    },
    async run({ params }, context) {
      const result = await runs.run(context, params.report);
      return (await otherForm(context.headers, result)) ?? jsonResult(result);
    },
    async startResult({ params }, context) {
      const info = await results.start(context.work, placeIn(context, params.report));
      const location =
        `${context.baseUrl}/v4/geo/reports/${params.report}/results/${info.result}` +
        `?tenant_id=${context.workspace.id}`;
      return new Answer(info, { headers: { location, "retry-after": "1" } });
    },
    results: ({ params, query }, context) =>
      results.list(context.work, placeIn(context, params.report), query),
    async result({ params }, context) {
      const { info, placed } = await results.get(context, params.report, params.result);
      if (placed === undefined) return info;
      const other = await otherForm(context.headers, placed);
      return other ?? { ...info, rows: jsonResult(placed).rows };
    },
  };
}

/** The result in the form that the caller prefers to JSON. */
async function otherForm(headers: Headers, result: PlacedResult): Promise<Response | undefined> {
  const answer = (body: string, type: string) =>
    new Response(body, { headers: { "content-type": type } });
  if (accepts(headers, "application/geo+json")) {
    return answer(JSON.stringify(geojsonResult(result)), "application/geo+json");
  }
  if (accepts(headers, "text/csv")) {
    return answer(await csvResult(result), "text/csv; charset=utf-8; header=present");
  }
  if (!accepts(headers, "image/svg+xml")) return undefined;
  const { svgResult } = await import("./report-map.ts");
  return answer(svgResult(result), "image/svg+xml; charset=utf-8");
}

function placeIn({ workspace, principal }: WorkspaceContext, report: string): ReportPlace {
  return { workspaceId: workspace.id, report, oid: principal.oid };
}
