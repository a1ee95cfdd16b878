import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources.ts";
import { files } from "./files.ts";
import { listQuery } from "./list-query.ts";
import { itemsOf, pagesOf } from "./pages.ts";
import type { Client } from "./surface.ts";
import type { Resources } from "./surface/resources.ts";
import type { ListOptions } from "./surface/lists.ts";

/** Records of one Object Type, by its exact stored slug (spec 4.2, 2.3). */
export function resources(client: Client, objectType: string): Resources {
  const get: Resources["get"] = async (id, { version, ...options } = {}) =>
    await client.resources.get({
      ...options,
      params: { objectType, id },
      ...(version === undefined ? {} : { query: { version } }),
    });

  const list = async (options: ListOptions = {}): Promise<ListBody<Resource>> => {
    const { call, query } = listQuery(options);
    return await client.resources.list({ ...call, params: { objectType }, query });
  };

  return {
    list,
    get,
    create: async (data, options = {}) =>
      await client.resources.create({ ...options, params: { objectType }, body: data }),
    update: async (id, data, { version, ...options } = {}) => {
      const current = version ?? (await get(id, options)).version;
      return await client.resources.update({
        ...options,
        params: { objectType, id },
        body: { data, version: current },
      });
    },
    delete: async (id, options = {}) => {
      await client.resources.delete({ ...options, params: { objectType, id } });
    },
    batchCreate: async (items, { atomic, ...options } = {}) =>
      await client.resources.batchCreate({
        ...options,
        params: { objectType },
        body: { items: [...items], ...atomicOf(atomic) },
      }),
    batchUpdate: async (items, { atomic, ...options } = {}) =>
      await client.resources.batchUpdate({
        ...options,
        params: { objectType },
        body: { items: [...items], ...atomicOf(atomic) },
      }),
    batchDelete: async (ids, { atomic, ...options } = {}) =>
      await client.resources.batchDelete({
        ...options,
        params: { objectType },
        body: { ids: [...ids], ...atomicOf(atomic) },
      }),
    execute: async (id, action, parameters = {}, { version, ...options } = {}) =>
      await client.resources.executeAction({
        ...options,
        params: { objectType, id, action },
        body: { parameters, ...(version === undefined ? {} : { version }) },
      }),
    aggregate: async (wanted, options = {}) =>
      await client.resources.aggregate({ ...options, params: { objectType }, body: wanted }),
    search: async (query, { mode, limit, where, ...options } = {}) =>
      await client.resources.search({
        ...options,
        body: {
          query,
          types: [objectType],
          ...(mode === undefined ? {} : { mode }),
          ...(limit === undefined ? {} : { limit }),
          ...(where === undefined ? {} : { where }),
        },
      }),
    history: async (id, options = {}) => {
      const { call, query } = listQuery(options);
      return await client.resources.history({ ...call, params: { objectType, id }, query });
    },
    ...files(client, objectType),
    pages: (options = {}) => pagesOf(list, options),
    all: (options = {}) => itemsOf(pagesOf(list, options)),
  };
}

/** A deployment that knows no atomic batches is not asked for one unless it is wanted. */
function atomicOf(atomic: boolean | undefined): { atomic?: true } {
  return atomic === true ? { atomic } : {};
}
