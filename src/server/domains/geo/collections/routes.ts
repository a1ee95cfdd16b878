import { Answer, type DomainHandlers, type WorkspaceContext } from "../../../http/handler.ts";
import type { GeoDatasets } from "../datasets/service.ts";
import { Collections, type CollectionScope, type ShownItem } from "./collections.ts";

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
    schema: ({ params }, context) =>
      collections.schema(context.work, scopeOf(context), params.dataset),
    items: ({ params, query }, context) =>
      collections.items(context.work, scopeOf(context), params.dataset, {
        query,
        signal: context.signal,
      }),
    item: async ({ params }, context) =>
      answerOf(await collections.item(context.work, scopeOf(context), params)),
    async createItem({ params, body }, context) {
      const scope = changingScope(context);
      const made = await collections.create(context.work, scope, params.dataset, body);
      return new Answer(made.body, { headers: made.headers });
    },
    async replaceItem({ params, body }, context) {
      const { work, ifMatch } = context;
      const change = { body, ifMatch };
      return answerOf(await collections.replace(work, changingScope(context), params, change));
    },
    async updateItem({ params, body }, context) {
      const { work, ifMatch } = context;
      const change = { body, ifMatch };
      return answerOf(await collections.update(work, changingScope(context), params, change));
    },
    async removeItem({ params }, context) {
      const place = { ...changingScope(context), ...params };
      await geo.features.remove(context.work, place, context.ifMatch);
      return undefined;
    },
  };
}

function answerOf({ body, headers }: ShownItem) {
  return new Answer(body, { headers: { etag: headers.etag } });
}

function changingScope(context: WorkspaceContext) {
  return { ...scopeOf(context), oid: context.principal.oid };
}

function scopeOf({ workspace, baseUrl }: WorkspaceContext): CollectionScope {
  return { workspaceId: workspace.id, baseUrl };
}
