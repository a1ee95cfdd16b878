import type { DomainHandlers, WorkspaceContext } from "../../../http/handler.ts";
import { accepts } from "../../../http/request-headers.ts";
import type { ObjectTypeService } from "../../object-types/service.ts";
import type { ResourceService } from "../../records/service.ts";
import type { GeoDatasets } from "../datasets/service.ts";
import { csvResult, geojsonResult, jsonResult } from "./report-forms.ts";
import type { ReportPlace } from "./reports.ts";
import { ReportRuns } from "./run-report.ts";

export function geoReportHandlers(
  {
    geoDatasets: { reports },
    resources: records,
    objectTypes,
  }: {
    readonly geoDatasets: GeoDatasets;
    readonly resources: ResourceService;
    readonly objectTypes: ObjectTypeService;
  },
  now: () => Date,
): DomainHandlers<"geoReports"> {
  const runs = new ReportRuns({ records, objectTypes }, reports, now);
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
      if (accepts(context.headers, "application/geo+json")) {
        return Response.json(geojsonResult(result), {
          headers: { "content-type": "application/geo+json" },
        });
      }
      if (accepts(context.headers, "text/csv")) {
        const headers = { "content-type": "text/csv; charset=utf-8; header=present" };
        return new Response(await csvResult(result), { headers });
      }
      return jsonResult(result);
    },
  };
}

function placeIn({ workspace, principal }: WorkspaceContext, report: string): ReportPlace {
  return { workspaceId: workspace.id, report, oid: principal.oid };
}
