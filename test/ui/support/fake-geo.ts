import type { Wish } from "./open-fake.ts";

/** Datasets with features, imports and reports by place, as the fake platform answers them. */

const at = "2026-11-20T10:00:00.000Z";
const importId = "01936f00-0000-7000-8000-0000000000b1";

interface Row {
  [name: string]: unknown;
}

const park = (id: string, name: string, longitude: number, more: object = {}) => ({
  type: "Feature",
  id,
  geometry: { type: "Point", coordinates: [longitude, -37.81] },
  properties: { name, kind: "park", ...more },
  version: 1,
  updated_at: at,
});

const dataset = (name: string, title: string, features: number) => ({
  dataset: name,
  title,
  licence: "CC-BY-4.0",
  features,
  bbox: [144.9, -37.9, 145.1, -37.7],
  version: 2,
  created_at: at,
  updated_at: at,
});

const result = (id: string, status: string) => ({
  result: id,
  status,
  scheduled: id === "r-1",
  items: 42,
  placed: 40,
  rowCount: 2,
  error: status === "failed" ? { message: "more than a million items" } : null,
  created_at: at,
  finished_at: at,
});

const rows = [
  { key: "w-1", name: "Docklands", metrics: { count: 30 } },
  { key: "w-2", name: "Carlton", metrics: { count: 10 } },
];

/** Lists of rows by their path, changed as the platform would change them. */
export class FakeGeo {
  readonly #lists: Record<string, Row[]>;
  #looks = 0;

  constructor(wish: Wish) {
    const isEmpty = wish.noEvents === true;
    this.#lists = {
      "/v4/geo/datasets": isEmpty
        ? []
        : [dataset("parks", "City parks", 2), dataset("wards", "Wards", 9)],
      "/v4/geo/datasets/parks/features": [
        park("p-1", "Mill Park", 144.96),
        park("p-2", "Quay Gardens", 145.02, { height: 3 }),
      ],
      "/v4/geo/reports": isEmpty
        ? []
        : [
            {
              report: "parks-by-ward",
              title: "Parks by ward",
              source: { dataset: "parks" },
              by: { kind: "areas", dataset: "wards" },
              version: 1,
              created_at: at,
              updated_at: at,
            },
          ],
      "/v4/geo/reports/parks-by-ward/results": [
        result("r-2", "failed"),
        result("r-1", "succeeded"),
      ],
    };
  }

  /** The answer, and undefined for every other request. */
  async answer(request: Request, path: string): Promise<object | undefined> {
    if (!path.startsWith("/v4/geo/")) return undefined;
    const { method } = request;
    const text = method === "GET" || method === "DELETE" ? "" : await request.text();
    if (path.endsWith("/import")) return this.#import("running");
    if (path.endsWith(importId)) return this.#import("succeeded");
    const body = text === "" ? {} : (JSON.parse(text) as Row);
    if (path.endsWith("/features/query")) return this.#found(path.replace("/query", ""), body);
    if (path.endsWith("/run")) return { report: "parks-by-ward", items: 42, placed: 40, rows };
    if (path.endsWith("/results/r-1")) return { ...result("r-1", "succeeded"), rows };
    const list = this.#lists[path];
    if (list !== undefined && method === "GET") return page(list);
    if (list !== undefined) return created(path, list, body);
    return this.#changed(path, method, body);
  }

  #import(status: string): object {
    this.#looks += 1;
    const isEnd = status === "succeeded" && this.#looks > 2;
    return {
      jobId: importId,
      dataset: "parks",
      status: isEnd ? "completed_with_errors" : "running",
      percentCompleted: isEnd ? 100 : 50,
      counts: { read: 4, stored: isEnd ? 3 : 0, repaired: 1, refused: isEnd ? 1 : 0 },
      faults: isEnd
        ? [{ feature: 4, id: "x", pointer: "/geometry", detail: "crosses itself" }]
        : [],
    };
  }

  /** A box leaves the features east of it out; a filter takes those of a kind. */
  #found(path: string, { bbox, where }: Row): object {
    const east = Array.isArray(bbox) ? Number(bbox[2]) : 180;
    const wanted = JSON.stringify(where ?? {});
    const features = this.#lists[path] ?? [];
    const items = features.filter((row) => {
      const { geometry, properties } = row as ReturnType<typeof park>;
      const [longitude = 0] = geometry?.coordinates ?? [];
      return longitude <= east && (!wanted.includes("height") || "height" in properties);
    });
    return page(items);
  }

  #changed(path: string, method: string, body: Row): object | undefined {
    const [, parent = "", id = ""] = /^(.+)\/([^/]+)$/.exec(path) ?? [];
    const nameOf = (row: Row) => String(row["dataset"] ?? row["report"] ?? row["id"]);
    const row = this.#lists[parent]?.find((one) => nameOf(one) === id);
    if (row === undefined) return undefined;
    if (method === "DELETE") {
      this.#lists[parent] = this.#lists[parent]?.filter((one) => one !== row) ?? [];
      return new Response(null, { status: 204 });
    }
    const { properties, ...settings } = body;
    Object.assign(row, settings);
    if (settings["schedule"] !== undefined) Object.assign(row, { due_at: "2099-01-01T06:00:00Z" });
    if (properties !== undefined) Object.assign(row["properties"] as Row, properties);
    return row;
  }
}

function page(items: readonly Row[]): object {
  return { items, hasNextPage: false, total: items.length };
}

function created(path: string, list: Row[], body: Row): object {
  const made = path.endsWith("/results")
    ? result("r-3", "queued")
    : path.endsWith("/features")
      ? { ...body, id: body["id"] ?? "p-3", version: 1 }
      : { version: 1, features: 0, created_at: at, updated_at: at, ...body };
  list.unshift(made);
  return made;
}
