/** The typed records of the tests' platform: what it has, and how it lists and changes them. */

export interface FakeRecord {
  id: string;
  type: string;
  version: number;
  data: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

const minute = 60_000;

function idOf(index: number): string {
  return `01936f00-0000-7000-9000-${index.toString(16).padStart(12, "0")}`;
}

export function makeRecords(count: number): FakeRecord[] {
  const statuses = ["open", "decided", "withdrawn"];
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(now - index * minute).toISOString();
    return {
      id: idOf(index),
      type: "planning-application",
      version: 1,
      data: {
        reference: `PA-2026-${String(count - index).padStart(5, "0")}`,
        address: `${index + 1} Quay Street`,
        status: statuses[index % statuses.length],
        amount: index * 10,
        officer: index % 2 === 0 ? "m.okafor" : "j.lindqvist",
      },
      created_at: at,
      updated_at: at,
    };
  });
}

export const types = [
  {
    id: "01936f00-0000-7000-8000-0000000000f1",
    name: "Licence",
    slug: "licence",
    properties: { reference: { type: "string" } },
    recordCount: 0,
  },
  {
    id: "01936f00-0000-7000-8000-0000000000f2",
    name: "PlanningApplication",
    slug: "planning-application",
    displayName: "Planning application",
    properties: {
      reference: { type: "string", required: true },
      address: { type: "string", searchable: true },
      status: { type: "enum", enum: ["open", "decided", "withdrawn"] },
      amount: { type: "number" },
      officer: { type: "string" },
    },
    actions: [
      { name: "decide", transition: { property: "status", from: ["open"], to: "decided" } },
    ],
    recordCount: 0,
  },
  {
    id: "01936f00-0000-7000-8000-0000000000f3",
    name: "VerticalProductConfig",
    slug: "vertical-product-config",
    properties: { vertical_key: { type: "string" }, workflow_key: { type: "string" } },
    recordCount: 1,
  },
];

export const binding: FakeRecord = {
  id: idOf(900_000),
  type: "vertical-product-config",
  version: 1,
  data: { vertical_key: "planning-portal", workflow_key: "planning-assistant" },
  created_at: "2026-11-01T00:00:00.000Z",
  updated_at: "2026-11-01T00:00:00.000Z",
};

/** An application that is newer than all others. */
export const newcomer: FakeRecord = {
  id: idOf(910_000),
  type: "planning-application",
  version: 1,
  data: { reference: "PA-2027-00001", address: "1 Later Street", status: "open", amount: 1 },
  created_at: "2027-01-01T00:00:00.000Z",
  updated_at: "2027-01-01T00:00:00.000Z",
};

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

/** Whether a record fits a filter of fields, `$and` and `$or`. */
function fitsAll(record: FakeRecord, where: Record<string, unknown>): boolean {
  return Object.entries(where).every(([key, wanted]) => {
    const parts = Array.isArray(wanted) ? (wanted as Record<string, unknown>[]) : [];
    if (key === "$and") return parts.every((part) => fitsAll(record, part));
    if (key === "$or") return parts.some((part) => fitsAll(record, part));
    const own: Record<string, unknown> = { id: record.id, created_at: record.created_at };
    return fits(key in own ? own[key] : record.data[key], wanted);
  });
}

function fits(value: unknown, wanted: unknown): boolean {
  if (wanted === null) return value === undefined || value === null;
  if (typeof wanted !== "object") return value === wanted;
  const bounds = wanted as { $lt?: string; $lte?: string; $gte?: string; $nin?: unknown[] };
  if (bounds.$nin !== undefined) return !bounds.$nin.includes(value);
  if (bounds.$gte !== undefined && String(value) < bounds.$gte) return false;
  if (bounds.$lt !== undefined) return String(value) < bounds.$lt;
  if (bounds.$lte !== undefined) return String(value) <= bounds.$lte;
  if (bounds.$gte !== undefined) return true;
  if ("$regex" in wanted) return new RegExp(String(wanted.$regex), "i").test(String(value));
  return "$in" in wanted && Array.isArray(wanted.$in) && wanted.$in.includes(value);
}

function refused(pointer: string, detail: string): Response {
  const problem = {
    type: "/problems/validation-failed",
    title: "Not valid",
    status: 422,
    code: "validation-failed",
    detail: `${pointer} ${detail}`,
    errors: [{ pointer, detail }],
  };
  return new Response(JSON.stringify(problem), {
    status: 422,
    headers: { "content-type": "application/problem+json" },
  });
}

/** One page of records; with a cap the only sign that the list goes on is a cursor. */
export function listOf(records: readonly FakeRecord[], url: URL, cap?: number): Response {
  if (url.searchParams.get("where")?.includes("$foo") === true) {
    return refused("#/query/where/amount/$foo", "is not a known operator");
  }
  const limit = Math.min(cap ?? Infinity, Number(url.searchParams.get("limit") ?? "20"));
  const where = url.searchParams.get("where");
  const sort = url.searchParams.get("sort") ?? "-created_at";
  const name = sort.replace(/^-/, "");
  const valueOf = (record: FakeRecord) =>
    (name === "created_at" ? record.created_at : record.data[name]) as string | number;
  const matching = records
    .filter((record) => {
      if (where === null) return true;
      return fitsAll(record, JSON.parse(where) as Record<string, unknown>);
    })
    .toSorted((a, b) => {
      const [x, y] = [valueOf(a), valueOf(b)];
      const order = x < y ? -1 : x > y ? 1 : 0;
      return sort.startsWith("-") ? -order : order;
    });
  const cursor = url.searchParams.get("cursor");
  const start =
    cursor === null ? (Number(url.searchParams.get("page") ?? "1") - 1) * limit : Number(cursor);
  const items = matching.slice(start, start + limit);
  const next = start + limit < matching.length;
  if (cap !== undefined)
    return json({ items, ...(next ? { nextCursor: `${start + limit}` } : {}) });
  return json({
    items,
    limit,
    hasNextPage: next,
    nextCursor: next ? String(start + limit) : null,
    ...(url.searchParams.get("count") === "true" ? { total: matching.length } : {}),
  });
}

/** Creates an application, the newest one. */
export function created(records: FakeRecord[], data: Record<string, unknown>): Response {
  const at = new Date().toISOString();
  const record = {
    id: idOf(920_000 + records.length),
    type: "planning-application",
    version: 1,
    data,
    created_at: at,
    updated_at: at,
  };
  records.unshift(record);
  return json(record, 201);
}

/** Does the one action that an application has. */
export function decided(records: readonly FakeRecord[], id: string | undefined): Response {
  const record = records.find((one) => one.id === id);
  if (record === undefined) return json({}, 404);
  if (record.data["status"] !== "open") {
    const detail = `status is ${String(record.data["status"])}, not open`;
    return json({ type: "/problems/transition-refused", title: detail, status: 409, detail }, 409);
  }
  record.version += 1;
  record.data = { ...record.data, status: "decided" };
  return json(record);
}

export interface Aggregation {
  readonly groupBy: readonly string[];
  readonly metrics: { readonly value: { readonly op: string; readonly field?: string } };
  readonly where?: Record<string, unknown>;
}

export function aggregated(records: readonly FakeRecord[], asked: Aggregation, truncated: boolean) {
  const [groupBy = ""] = asked.groupBy;
  const { op, field } = asked.metrics.value;
  const groups = new Map<unknown, number>();
  for (const { data } of records) {
    if (!Object.entries(asked.where ?? {}).every(([name, wanted]) => fits(data[name], wanted)))
      continue;
    const group = data[groupBy] ?? null;
    const amount = op === "sum" ? Number(data[field ?? ""]) : 1;
    groups.set(group, (groups.get(group) ?? 0) + amount);
  }
  const rows = Array.from(groups, ([group, value]) => ({
    group: { [groupBy]: group },
    metrics: { value },
  }));
  return json({ rows, truncated });
}

export const storageStatus = {
  backends: [
    { backend: "postgresql", provider: "sqlite", status: "ok", provisioned: true },
    { backend: "blob", provider: "disk", status: "down", detail: "the folder can't be written" },
  ],
};

export const diagnosis = {
  ok: false,
  complete: false,
  findings: [
    {
      code: "missing-blob",
      backend: "blob",
      severity: "error",
      subject: "planning-application",
      count: 2,
      detail: "Records name files that are not there",
      examples: ["PA-2026-00042 plan \u001b]0;owned\u0007"],
      mend: "upload them again",
    },
  ],
  checked: { records: 1_204, files: 17 },
};

/** Each goes unless it was changed since. */
export function batchDeleted(
  records: FakeRecord[],
  items: readonly { readonly id: string; readonly version: number }[],
): Response {
  const results = items.map(({ id, version }, index) => {
    const place = records.findIndex((record) => record.id === id);
    if (place === -1) return { index, id, status: 404 };
    if (records[place]?.version !== version) return { index, id, status: 409 };
    records.splice(place, 1);
    return { index, id, status: 204 };
  });
  const failed = results.filter(({ status }) => status >= 400).length;
  const answer = { results, succeeded: results.length - failed, failed };
  return json(answer, failed === 0 ? 200 : 207);
}

export interface Search {
  readonly query: string;
  readonly mode: string;
  readonly types?: readonly string[];
  readonly limit: number;
}

/** Addresses that hold the query, with the place of it in them. */
export function searched(records: readonly FakeRecord[], { query, mode, types, limit }: Search) {
  if (query === "fault") return refused("#/query", "has no words");
  const isListed = types === undefined || types.includes("planning-application");
  const word = query.toLowerCase().replace(/\*$/, "");
  const results = records.flatMap(({ id, type, data }, index) => {
    const address = String(data["address"]);
    const start = address.toLowerCase().indexOf(word);
    if (start === -1 || !isListed) return [];
    const highlight = {
      property: "address",
      text: `… ${address}`,
      matches: [{ start: start + 2, end: start + 2 + word.length }],
    };
    const scores = { fulltext: mode === "vector" ? null : 2.5, vector: 0.5 };
    return [{ type, id, score: 1 / (index + 1), scores, highlights: [highlight], data }];
  });
  return json({ results: results.slice(0, limit), mode, embedding: "hashed" });
}
