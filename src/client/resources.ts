import { catalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import { counted } from "#lib/counted.ts";
import { isJsonObject, membersOf, parsedJson } from "#lib/json-value.ts";
import { hadNoBody } from "./answer.ts";
import { files } from "./files.ts";
import { itemsOf, listQuery, pagesOf } from "./pages.ts";
import type { Client } from "./surface.ts";
import type { BatchOptions, Resources } from "./surface/resources.ts";
import type { ListOptions } from "./surface/lists.ts";
import { unknownWords } from "./unreachable.ts";

/** Records of one Object Type, by its exact stored slug (spec 4.2, 2.3). */
export function resources(client: Client, objectType: string): Resources {
  const calls = client.resources;
  const params = { objectType };
  const get: Resources["get"] = async (id, { version, ...options } = {}) =>
    await calls.get({ ...options, params: { objectType, id }, query: { version } });

  const list = async (options: ListOptions = {}): Promise<ListBody<Resource>> => {
    const { call, query } = listQuery(options);
    return await calls.list({ ...call, params, query });
  };

  return {
    list,
    get,
    create: async (data, options = {}) => await calls.create({ ...options, params, body: data }),
    update: async (id, data, { version, ...options } = {}) => {
      const current = version ?? (await get(id, options)).version;
      const body = { data, version: current };
      return await calls.update({ ...options, params: { objectType, id }, body });
    },
    delete: async (id, options = {}) =>
      await calls.delete({ ...options, params: { objectType, id } }),
    batchCreate: async (items, options = {}) => {
      const { call, atomic } = batchCall(options);
      const body = { items: items.map(creationItem), ...atomic };
      return withEach(await calls.batchCreate({ ...call, params, body }), items.length);
    },
    batchUpdate: async (items, options = {}) => {
      const { call, atomic } = batchCall(options);
      const body = { items: [...items], ...atomic };
      return withEach(await calls.batchUpdate({ ...call, params, body }), items.length);
    },
    batchDelete: async (ids, options = {}) => {
      const { call, atomic } = batchCall(options);
      const body = { ids: [...ids], ...atomic };
      return withEach(await calls.batchDelete({ ...call, params, body }), ids.length);
    },
    execute: async (id, action, parameters = {}, { version, ...options } = {}) =>
      await calls.executeAction({
        ...options,
        params: { objectType, id, action },
        body: { parameters, version },
      }),
    aggregate: async (input, options = {}) =>
      await calls.aggregate({ ...options, params, body: input }),
    search: async (query, { mode, limit, where, ...options } = {}) =>
      await calls.search({ ...options, body: { query, types: [objectType], mode, limit, where } }),
    history: async (id, options = {}) => {
      const { call, query } = listQuery(options);
      return await calls.history({ ...call, params: { objectType, id }, query });
    },
    ...files(client, objectType),
    pages: (options = {}) => pagesOf(list, options),
    all: (options = {}) => itemsOf(pagesOf(list, options)),
  };
}

/** The item `{ data }` (spec 2.3); an object with only an object `data` already is one. */
function creationItem(item: JsonObject): JsonObject {
  return Object.keys(item).length === 1 && isJsonObject(item["data"]) ? item : { data: item };
}

/** Leaves `atomic: false` out: a deployment may not know atomic batches. */
function batchCall({ atomic, ...call }: BatchOptions) {
  return { call, atomic: atomic === true ? { atomic } : {} };
}

/** A success that reports only the number of items, or has no body. */
function settled(answer: BatchAnswer, count: number): BatchAnswer {
  const { succeeded } = answer;
  if (succeeded !== count && !hadNoBody(answer)) {
    const details = `the response reports ${succeeded} of ${counted(count, "item")}`;
    throw catalogError("E203", { details }, { status: 200, hint: unknownWords });
  }
  const results = Array.from({ length: count }, (_none, index) => ({ index, status: 200 }));
  return { ...answer, results, succeeded: count };
}

/** Whether the response itself has a list; as JSON an answer is what was sent. */
function listsItems(answer: BatchAnswer): boolean {
  return membersOf(parsedJson(JSON.stringify(answer)))?.has("results") === true;
}

/** The response to a batch. Throws E203 unless it has one outcome for each item. */
function withEach(answer: BatchAnswer, count: number): BatchAnswer {
  const { results, failed } = answer;
  if (results.length === 0 && failed === 0 && !(answer.succeeded > 0 && listsItems(answer))) {
    return settled(answer, count);
  }
  const indexes = new Set(answer.results.map(({ index }) => index));
  const missing = Array.from({ length: count }, (_none, index) => index).find(
    (index) => !indexes.has(index),
  );
  if (missing === undefined && answer.results.length === count) return answer;
  const details =
    missing === undefined
      ? `the response has ${answer.results.length} outcomes of ${count} items`
      : `the response has no outcome of item ${missing}, of ${counted(count, "item")}`;
  throw catalogError("E203", { details }, { status: 200, hint: unknownWords });
}
