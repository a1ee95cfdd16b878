import type { DomainHandlers, WorkspaceContext } from "../../../http/handler.ts";
import type { GeoDatasets } from "../datasets/service.ts";
import { Collections, type CollectionScope } from "./collections.ts";

export function geoCollectionHandlers(
  { geoDatasets: geo }: { readonly geoDatasets: GeoDatasets },
  now: () => Date,
): DomainHandlers<"geoCollections"> {
  const collections = new Collections({ geo, now });
  return {
    landing: (_input, context) => collections.landing(scopeOf(context)),
    conformance: () => collections.conformance(),
    list: (_input, context) => collections.list(context.work, scopeOf(context)),
    get: ({ params }, context) => collections.get(context.work, scopeOf(context), params.dataset),
    items: ({ params, query }, context) =>
      collections.items(context.work, scopeOf(context), params.dataset, {
        query,
        signal: context.signal,
      }),
    item: ({ params }, context) => collections.item(context.work, scopeOf(context), params),
  };
}

function scopeOf({ workspace, baseUrl }: WorkspaceContext): CollectionScope {
  return { workspaceId: workspace.id, baseUrl };
}
