import { catalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import { counted } from "#lib/counted.ts";
import { files } from "./files.ts";
import { listQuery } from "./list-query.ts";
import { itemsOf, pagesOf } from "./pages.ts";
import type { Client } from "./surface.ts";
import type { Resources } from "./surface/resources.ts";
import type { ListOptions } from "./surface/lists.ts";
import { unknownWords } from "./unreachable.ts";

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
      withEach(
        await client.resources.batchCreate({
          ...options,
          params: { objectType },
          body: { items: [...items], ...atomicOf(atomic) },
        }),
        items.length,
      ),
    batchUpdate: async (items, { atomic, ...options } = {}) =>
      withEach(
        await client.resources.batchUpdate({
          ...options,
          params: { objectType },
          body: { items: [...items], ...atomicOf(atomic) },
        }),
        items.length,
      ),
    batchDelete: async (ids, { atomic, ...options } = {}) =>
      withEach(
        await client.resources.batchDelete({
          ...options,
          params: { objectType },
          body: { ids: [...ids], ...atomicOf(atomic) },
        }),
        ids.length,
      ),
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

/**
 * The answer to so many items, each of which has one outcome in it. Throws E203 where one has none:
 * what became of it would never be told.
 */
function withEach(answer: BatchAnswer, count: number): BatchAnswer {
  const told = new Set(answer.results.map(({ index }) => index));
  const untold = Array.from({ length: count }, (_none, index) => index).filter(
    (index) => !told.has(index),
  );
  if (untold.length === 0 && answer.results.length === count) return answer;
  const details =
    untold.length === 0
      ? `the answer has ${answer.results.length} outcomes of ${count} items`
      : `the answer has no outcome of item ${untold[0]}, of ${counted(count, "item")}`;
  throw catalogError("E203", { details }, { status: 200, hint: unknownWords });
}

/** A deployment that knows no atomic batches is not asked for one unless it is wanted. */
function atomicOf(atomic: boolean | undefined): { atomic?: true } {
  return atomic === true ? { atomic } : {};
}
