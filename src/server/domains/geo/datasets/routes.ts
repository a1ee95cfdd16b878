import type { DomainHandlers, WorkspaceContext } from "../../../http/handler.ts";
import { bodyStream } from "../../../http/body/body-stream.ts";
import type { DatasetPlace } from "./datasets.ts";
import type { GeoDatasets } from "./service.ts";

interface Parts {
  readonly geoDatasets: GeoDatasets;
}

export function geoDatasetHandlers({
  geoDatasets: { datasets, imports },
}: Parts): DomainHandlers<"geoDatasets"> {
  return {
    list: ({ query }, { work, workspace }) => datasets.list(work, workspace.id, query),
    create: ({ body }, context) => datasets.create(context.work, placeIn(context, ""), body),
    get: ({ params }, context) => datasets.get(context.work, placeIn(context, params.dataset)),
    replace: ({ params, body }, context) =>
      datasets.replace(context.work, placeIn(context, params.dataset), body, context.ifMatch),
    update: ({ params, body }, context) =>
      datasets.update(context.work, placeIn(context, params.dataset), body, context.ifMatch),
    async remove({ params }, context) {
      await datasets.remove(context.work, placeIn(context, params.dataset), context.ifMatch);
      return undefined;
    },
    import: ({ params, query, request }, context) =>
      imports.start(context.work, placeIn(context, params.dataset), query, {
        content: bodyStream(request, imports.limitBytes),
        signal: context.signal,
      }),
    importJob: ({ params }, context) =>
      imports.get(context.work, placeIn(context, params.dataset), params.jobId),
    cancelImport: ({ params }, context) =>
      imports.cancel(context.work, placeIn(context, params.dataset), params.jobId),
  };
}

export function geoFeatureHandlers({
  geoDatasets: { features },
}: Parts): DomainHandlers<"geoFeatures"> {
  const named = (context: WorkspaceContext, params: { dataset: string; feature: string }) => ({
    ...placeIn(context, params.dataset),
    feature: params.feature,
  });
  return {
    list: ({ params, query }, context) =>
      features.list(context.work, placeIn(context, params.dataset), query, context.signal),
    create: ({ params, body }, context) =>
      features.create(context.work, placeIn(context, params.dataset), body),
    query: ({ params, body }, context) =>
      features.query(context.work, placeIn(context, params.dataset), body, context.signal),
    get: ({ params }, context) => features.get(context.work, named(context, params)),
    update: ({ params, body }, context) =>
      features.update(context.work, named(context, params), body, context.ifMatch),
    async remove({ params }, context) {
      await features.remove(context.work, named(context, params), context.ifMatch);
      return undefined;
    },
  };
}

function placeIn({ workspace, principal }: WorkspaceContext, dataset: string): DatasetPlace {
  return { workspaceId: workspace.id, dataset, oid: principal.oid };
}
