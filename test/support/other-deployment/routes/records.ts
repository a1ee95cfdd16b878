import { Refused, wholeList, type Answer, type Json } from "../answers.ts";
import { addRecord, type StoredRecord } from "../state.ts";
import { matches } from "./where.ts";
import {
  isJson,
  jsonBody,
  objectBody,
  oneOf,
  pageOf,
  param,
  pathWorkspace,
  textOf,
  timesOf,
  type Call,
  type OtherRoute,
} from "./call.ts";

const base = "/v4/data/resources/{tenantId}";

function recordsOf(call: Call, slug = param(call, "objectType")): Map<string, StoredRecord> {
  const records = pathWorkspace(call).records.get(slug);
  if (records === undefined) throw new Refused(404, `no Object Type ${slug}`);
  return records;
}

export function recordOf(call: Call, id = param(call, "id")): StoredRecord {
  const record = recordsOf(call).get(id);
  if (record === undefined) throw new Refused(404, `no ${param(call, "objectType")} ${id}`);
  return record;
}

export function recordBody(
  { dialect }: Call,
  { id, version, data, createdAt }: StoredRecord,
): Json {
  return { id, version, data, ...timesOf(dialect, createdAt) };
}

function whereOf(given: unknown): Json {
  if (given === undefined || given === null || given === "") return {};
  try {
    const parsed: unknown = typeof given === "string" ? JSON.parse(given) : given;
    if (isJson(parsed)) return parsed;
  } catch {
    // The check below refuses it.
  }
  throw new Refused(400, "where is no JSON object");
}

function newestFirst(records: Iterable<StoredRecord>): StoredRecord[] {
  return [...records].toSorted((one, other) => other.createdAt - one.createdAt);
}

function sorted(records: StoredRecord[], sort: string | null): StoredRecord[] {
  const [first = ""] = (sort ?? "-created_at").split(",");
  const name = first.replace(/^-/, "").replace(/^data\./, "");
  const sign = first.startsWith("-") ? -1 : 1;
  const valueOf = (record: StoredRecord): string | number => {
    const value = name === "created_at" ? record.createdAt : record.data[name];
    return typeof value === "number" ? value : String(value);
  };
  return records.toSorted((one, other) => (valueOf(one) < valueOf(other) ? -sign : sign));
}

/** Data that follows the type: a member that is no property is refused. */
function dataOf(call: Call, given: unknown): Json {
  if (!isJson(given)) throw new Refused(400, "the data is no object");
  const type = pathWorkspace(call).types.get(param(call, "objectType"));
  const properties = type?.definition["properties"];
  const known = isJson(properties) ? Object.keys(properties) : [];
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (known.length > 0 && stranger !== undefined) {
    throw new Refused(400, `${stranger} is no property`);
  }
  return given;
}

function change(record: StoredRecord, data: Json): void {
  record.earlier.push({ version: record.version, data: record.data });
  record.version += 1;
  record.data = data;
}

function requireVersion(record: StoredRecord, version: unknown): void {
  if (typeof version !== "number") throw new Refused(400, "version is no integer");
  if (version !== record.version) throw new Refused(409, `version is ${record.version}`);
}

function only(item: unknown, names: readonly string[]): Json {
  if (!isJson(item)) throw new Refused(400, "an item is no object");
  if (Object.keys(item).toSorted().join() !== names.toSorted().join()) {
    throw new Refused(400, `an item has ${names.join(", ")}`);
  }
  return item;
}

/** An array of items, `{ items }`, or one object. */
function batchItems(call: Call): unknown[] {
  const body = jsonBody(call);
  if (Array.isArray(body)) return body;
  if (isJson(body) && Array.isArray(body["items"])) return body["items"];
  if (isJson(body) && Array.isArray(body["ids"])) return body["ids"];
  return [body];
}

function batchAnswer(call: Call, records: readonly StoredRecord[]): Answer {
  switch (call.dialect.batch) {
    case "items":
      return { kind: "value", value: records.map((record) => recordBody(call, record)) };
    case "results": {
      const results = records.map(({ id, version }) => ({ id, version, success: true }));
      return { kind: "value", value: { results } };
    }
    case "counts":
      return { kind: "value", value: { successCount: records.length, errorCount: 0 } };
    case "empty":
      return { kind: "empty" };
  }
}

function aggregated(call: Call): Answer {
  const body = objectBody(call);
  const [, given] = Object.entries(body).find(([name]) => /group/i.test(name)) ?? [];
  const fields = (Array.isArray(given) ? given : String(given).split(",")).map(String);
  const [, metrics] = Object.entries(body).find(([name]) => /metric/i.test(name)) ?? [];
  if (!isJson(metrics)) throw new Refused(400, "metrics are missing");
  const where = whereOf(body["where"]);
  const groups = new Map<string, { readonly keys: Json; count: number }>();
  for (const { data } of recordsOf(call).values()) {
    if (!matches(data, where)) continue;
    const keys = Object.fromEntries(fields.map((field) => [field, data[field] ?? null]));
    const group = groups.get(JSON.stringify(keys)) ?? { keys, count: 0 };
    groups.set(JSON.stringify(keys), { keys, count: group.count + 1 });
  }
  const rows = [...groups.values()].map(({ keys, count }) => {
    const values = Object.fromEntries(Object.keys(metrics).map((name) => [name, count]));
    return call.dialect.names === "camel"
      ? { ...keys, ...values }
      : { group: keys, metrics: values };
  });
  return { kind: "list", items: rows, page: wholeList };
}

/** Records in all their routes (spec 4.2). */
export const recordRoutes: readonly OtherRoute[] = [
  {
    method: "POST",
    path: `${base}/query`,
    answer: (call) => {
      const body = objectBody(call);
      const slugs = Array.isArray(body["types"]) ? body["types"] : [];
      if (slugs.length === 0) throw new Refused(400, "types are missing");
      const where = whereOf(body["where"]);
      const found = slugs.flatMap((slug: unknown) =>
        newestFirst(recordsOf(call, String(slug)).values())
          .filter(({ data }) => matches(data, where))
          .map((record) => ({ ...recordBody(call, record), type: slug })),
      );
      const limit = Number(body["limit"] ?? 20);
      return { kind: "list", items: found, page: { page: 1, limit, cursor: undefined } };
    },
  },
  {
    method: "POST",
    path: `${base}/search`,
    answer: (call) => {
      const body = objectBody(call);
      const words = textOf(body, "query").toLowerCase();
      oneOf(["fulltext", "hybrid", "vector"], body["mode"] ?? "hybrid");
      const { records } = pathWorkspace(call);
      const items = [...records].flatMap(([slug, ofType]) =>
        [...ofType.values()]
          .filter(({ data }) => JSON.stringify(data).toLowerCase().includes(words))
          .map((record) => ({
            ...(call.dialect.names === "camel" ? { objectType: slug } : { type: slug }),
            ...(call.dialect.names === "short" ? {} : { score: 0.5 }),
            ...recordBody(call, record),
          })),
      );
      const limit = Number(body["limit"] ?? 10);
      return { kind: "list", items, page: { page: 1, limit, cursor: undefined } };
    },
  },
  {
    method: "GET",
    path: `${base}/{objectType}`,
    answer: (call) => {
      const { searchParams } = call.url;
      const where = whereOf(searchParams.get("where"));
      const found = [...recordsOf(call).values()].filter(({ data }) => matches(data, where));
      const items = sorted(found, searchParams.get("sort"));
      return {
        kind: "list",
        items: items.map((record) => recordBody(call, record)),
        page: pageOf(call),
      };
    },
  },
  {
    method: "POST",
    path: `${base}/{objectType}`,
    answer: (call) => {
      const records = recordsOf(call);
      const record = addRecord(call.state, records, dataOf(call, objectBody(call)));
      return { kind: "created", value: recordBody(call, record), id: record.id };
    },
  },
  { method: "POST", path: `${base}/{objectType}/aggregate`, answer: aggregated },
  {
    method: "POST",
    path: `${base}/{objectType}/batch/create`,
    answer: (call) => {
      const records = recordsOf(call);
      const data = batchItems(call).map((item) => dataOf(call, only(item, ["data"])["data"]));
      return batchAnswer(
        call,
        data.map((one) => addRecord(call.state, records, one)),
      );
    },
  },
  {
    method: "POST",
    path: `${base}/{objectType}/batch/update`,
    answer: (call) => {
      const changes = batchItems(call).map((item) => only(item, ["id", "data", "version"]));
      const changed = changes.map(({ id, data, version }) => {
        const record = recordOf(call, String(id));
        requireVersion(record, version);
        change(record, dataOf(call, data));
        return record;
      });
      return batchAnswer(call, changed);
    },
  },
  {
    method: "POST",
    path: `${base}/{objectType}/batch/delete`,
    answer: (call) => {
      const gone = batchItems(call).map((item) =>
        recordOf(call, String(isJson(item) ? item["id"] : item)),
      );
      for (const { id } of gone) recordsOf(call).delete(id);
      return batchAnswer(call, gone);
    },
  },
  {
    method: "GET",
    path: `${base}/{objectType}/{id}`,
    answer: (call) => ({ kind: "value", value: recordBody(call, recordOf(call)) }),
  },
  {
    method: "PUT",
    path: `${base}/{objectType}/{id}`,
    answer: (call) => {
      const record = recordOf(call);
      const { data, version } = only(jsonBody(call), ["data", "version"]);
      requireVersion(record, version);
      change(record, dataOf(call, data));
      return { kind: "done", value: recordBody(call, record) };
    },
  },
  {
    method: "DELETE",
    path: `${base}/{objectType}/{id}`,
    answer: (call) => {
      const { id } = recordOf(call);
      recordsOf(call).delete(id);
      return { kind: "done", value: { deleted: id } };
    },
  },
  {
    method: "GET",
    path: `${base}/{objectType}/{id}/history`,
    answer: (call) => {
      const record = recordOf(call);
      const all = [...record.earlier, { version: record.version, data: record.data }];
      const items = all
        .toReversed()
        .map(({ version, data }) =>
          call.dialect.names === "short"
            ? { version }
            : { version, data, ...timesOf(call.dialect, record.createdAt) },
        );
      return { kind: "list", items, page: pageOf(call) };
    },
  },
  {
    method: "POST",
    path: `${base}/{objectType}/{id}/actions/{action}`,
    answer: (call) => {
      const record = recordOf(call);
      objectBody(call);
      change(record, record.data);
      return { kind: "done", value: recordBody(call, record) };
    },
  },
];
