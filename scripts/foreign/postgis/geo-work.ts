import { isJsonObject, membersOf } from "#lib/json/value.ts";
import { sleep } from "#lib/time/sleep.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";

/** An answer without what differs between two platforms: ids, times and addresses. */
export interface GeoAnswer {
  readonly name: string;
  readonly text: string;
}

const importWaitMs = 60_000;
const columns = 40;
const step = 0.5;

/** A caller in one workspace of a platform. */
export class GeoCaller {
  private constructor(
    private readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
    readonly tenantId: string,
  ) {}

  /** Makes the workspace with its datasets, records and a report. */
  static async create(platform: RunningPlatform): Promise<GeoCaller> {
    const authorization = `Bearer ${await platform.token()}`;
    const headers = { authorization, "content-type": "application/json" };
    const anywhere = new GeoCaller(platform.url, headers, "");
    const tenant = { slug: "geo", displayName: "Geo", homeRegion: "eu" };
    const made = await anywhere.#json("POST", "/v4/platform/tenants", tenant);
    const id = String(membersOf(made)?.get("id"));
    const caller = new GeoCaller(platform.url, { ...headers, "x-tenant-id": id }, id);
    await caller.#fill();
    return caller;
  }

  /** Returns the same caller on a platform with the data of this one. */
  async at(platform: RunningPlatform): Promise<GeoCaller> {
    const authorization = `Bearer ${await platform.token()}`;
    return new GeoCaller(platform.url, { ...this.headers, authorization }, this.tenantId);
  }

  async #fill(): Promise<void> {
    await this.#json("POST", "/v4/geo/datasets", { dataset: "wards", nameProperties: ["name"] });
    await this.#json("POST", "/v4/geo/datasets", { dataset: "posts" });
    for (const ward of wards) await this.#json("POST", `${features("wards")}`, ward);
    await this.#import("posts", posts().join("\n"));
    const properties = {
      key: { type: "integer" },
      place: { type: "geopoint" },
      outline: { type: "geometry" },
    };
    const type = { name: "Site", slug: "site", properties };
    await this.#json("POST", "/v4/data/resources/object-types", type);
    const records = Array.from({ length: 600 }, (_each, key) => ({
      key,
      place: { type: "Point", coordinates: placeAt(3 * key) },
      outline: squareAt(placeAt(5 * key), 0.2),
    }));
    for (let at = 0; at < records.length; at += 200) {
      await this.#json("POST", `${this.#sites}/batch/create`, records.slice(at, at + 200));
    }
    for (const [report, definition] of Object.entries(reports)) {
      await this.#json("POST", "/v4/geo/reports", { report, ...definition });
    }
  }

  get #sites(): string {
    return `/v4/data/resources/${this.tenantId}/site`;
  }

  async #import(dataset: string, file: string): Promise<void> {
    const response = await fetch(`${this.url}/v4/geo/datasets/${dataset}/import`, {
      method: "PUT",
      headers: { ...this.headers, "content-type": "application/octet-stream" },
      body: file,
    });
    const started = membersOf(await jsonOf(response));
    const place = `/v4/geo/datasets/${dataset}/imports/${String(started?.get("jobId"))}`;
    for (let waitedMs = 0; waitedMs < importWaitMs; waitedMs += 200) {
      const state = membersOf(await this.#json("GET", place));
      if (state?.get("status") === "succeeded") return;
      if (state?.get("status") === "failed") throw new Error(JSON.stringify(state.get("error")));
      await sleep(200);
    }
    throw new Error("the import did not end");
  }

  /** The answers to one request of each kind. */
  async answers(): Promise<readonly GeoAnswer[]> {
    const answers: GeoAnswer[] = [];
    const ask = async (name: string, method: string, path: string, body?: unknown) => {
      const answer = await this.#json(method, path, body);
      answers.push({ name, text: JSON.stringify(plain(answer)) });
    };
    for (const [name, query] of Object.entries(searches)) {
      await ask(`features ${name}`, "POST", `${features("posts")}/query`, { ...query, limit: 100 });
    }
    const box = "bbox=179,-6,-179,-4&limit=50&count=true";
    await ask("features by bbox", "GET", `${features("wards")}?${box}`);
    await ask("features near", "GET", `${features("posts")}?near=1.1,1.2,90000&limit=50`);
    await ask("collection", "GET", "/v4/geo/collections/posts/items?bbox=0,0,4,4&limit=20");
    for (const [name, where] of Object.entries(filters)) {
      const query = new URLSearchParams({ where: JSON.stringify(where), limit: "50" });
      await ask(`records ${name}`, "GET", `${this.#sites}?${query.toString()}`);
    }
    for (const report of Object.keys(reports)) {
      await ask(`report ${report}`, "POST", `/v4/geo/reports/${report}/run`, {});
    }
    const resolve = "/v4/geo/resolve-location";
    await ask("a ward by a name with a typo", "POST", resolve, { query: "Northfeild" });
    await ask("a point", "POST", resolve, { point: { type: "Point", coordinates: [3.2, 3.1] } });
    return answers;
  }

  async #json(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.url + path, {
      method,
      headers: this.headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return jsonOf(response);
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  if (!response.ok) {
    const { pathname } = new URL(response.url);
    throw new Error(`${pathname}: HTTP ${response.status}: ${await response.text()}`);
  }
  return response.json();
}

const features = (dataset: string): string => `/v4/geo/datasets/${dataset}/features`;

/** Members that two platforms with the same data need not share. */
const ownMembers: ReadonlySet<string> = new Set([
  ..."created_at updated_at created_by updated_by nextCursor next_cursor feedCursor".split(" "),
  ..."createdAt updatedAt createdBy updatedBy cursor timeStamp at links tenantId".split(" "),
]);
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "string") return uuid.test(value) ? "an id" : value;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !ownMembers.has(name))
      .map(([name, member]) => [name, plain(member)]),
  );
}

type Position = readonly [longitude: number, latitude: number];

const placeAt = (index: number): Position => [
  ((index * 7) % columns) * step - 4,
  Math.floor((index % 1_600) / columns) * step - 6,
];

function ringAt([west, south]: Position, size: number): readonly Position[] {
  return [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ];
}

function squareAt(corner: Position, size: number) {
  return { type: "Polygon", coordinates: [ringAt(corner, size)] };
}

const hole = { type: "Polygon", coordinates: [ringAt([0, 0], 9), ringAt([2, 2], 2)] };
const bothSides = {
  type: "MultiPolygon",
  coordinates: [[ringAt([178, -6], 2)], [ringAt([-180, -6], 2)]],
};
const line = {
  type: "LineString",
  coordinates: [
    [-3, -3],
    [6, 5.2],
  ],
};

const wards = [
  { id: "north", properties: { name: "Northfield" }, geometry: hole },
  { id: "island", properties: { name: "Southmere Isles" }, geometry: bothSides },
  { id: "east", properties: { name: "Eastgate" }, geometry: squareAt([9, 0], 6) },
];

function posts(): string[] {
  return Array.from({ length: 1_600 }, (_each, index) => {
    const geometry =
      index % 4 === 0
        ? squareAt(placeAt(index), 0.3)
        : { type: "Point", coordinates: placeAt(index) };
    const properties = { name: `Post ${index}`, kind: ["open", "closed"][index % 2] };
    return JSON.stringify({ type: "Feature", id: `p-${index}`, properties, geometry });
  });
}

const searches: Readonly<Record<string, object>> = {
  "in a box": { bbox: [0.2, 0.2, 3.1, 2.4], count: true },
  "near a point": { near: { position: [2.1, 1.9], metres: 120_000 } },
  "within an area with a hole": { within: hole, count: true },
  "that meet a line": { intersects: line },
  "with a property": { bbox: [0, 0, 9, 9], where: { kind: "open", name: { $regex: "9$" } } },
};

const center = { type: "Point", coordinates: [3.1, 2.2] };
const filters: Readonly<Record<string, object>> = {
  "near, without a bound": { place: { $near: { $geometry: center } } },
  "near, in a ring": {
    place: { $near: { $geometry: center, $minDistance: 50_000, $maxDistance: 300_000 } },
  },
  "near, by geometries": { outline: { $near: { $geometry: center, $maxDistance: 200_000 } } },
  within: { place: { $geoWithin: { $geometry: hole } } },
  "within, by geometries": { outline: { $geoWithin: { $geometry: hole } } },
  "that meet a line": { outline: { $geoIntersects: { $geometry: line } } },
  "in a circle": { place: { $geoWithin: { $centerSphere: [[3, 2], 0.03] } } },
};

const source = { type: "site", property: "place" };
const reports: Readonly<Record<string, object>> = {
  areas: {
    source,
    by: { kind: "areas", dataset: "wards" },
    metrics: { sum: { op: "sum", field: "key" } },
  },
  grid: { source, by: { kind: "grid", degrees: 2 } },
  rings: {
    source,
    by: { kind: "rings", position: [3, 2], metres: [100_000, 400_000, 900_000] },
  },
  nearest: { source: { dataset: "posts" }, by: { kind: "nearest", position: [3, 2], count: 25 } },
  buffer: { source, by: { kind: "buffer", geometry: line, metres: 60_000 } },
};
