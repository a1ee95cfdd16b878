import { expect } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { collection, datasetsPath, feature, newDataset, point } from "../geo/datasets/world.ts";
import type { RouteTable } from "./route-case.ts";

const headers = { "x-tenant-id": "{tenant}" };
const sent = { ...headers, "content-type": "application/octet-stream" };
const file = collection(feature(point(1, 2), { name: "One" }, "one"));

/** A dataset with a feature, and one of another workspace. */
async function dataset(the: TestPlatform): Promise<Record<string, string>> {
  const name = await newDataset(the);
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const body = { id: "one", geometry: point(1, 2), properties: { name: "One" } };
  const made = await the.as("tenant-staff").post(`${datasetsPath}/${name}/features`, body, of);
  expect(made.status, made.text).toBe(201);
  return { dataset: name, feature: "one", unused: `unused-${name}` };
}

async function imported(the: TestPlatform): Promise<Record<string, string>> {
  const named = await dataset(the);
  const path = `${datasetsPath}/${named["dataset"]}`;
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const raw = { headers: { ...of.headers, "content-type": "text/plain" }, rawBody: file };
  const started = await the.as("tenant-staff").put(`${path}/import`, undefined, raw);
  const jobId = String(field(started.json, "jobId"));
  await eventually(async () => {
    const shown = await the.as("tenant-staff").get(`${path}/imports/${jobId}`, of);
    expect(field(shown.json, "status")).toBe("succeeded");
  });
  return { ...named, jobId, foreignId: crypto.randomUUID() };
}

/** A report with a result that has ended. */
async function result(the: TestPlatform): Promise<Record<string, string>> {
  const named = await report(the);
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const path = `/v4/geo/reports/${named["report"]}/results`;
  const started = await the.as("tenant-staff").post(path, undefined, of);
  const id = String(field(started.json, "result"));
  await eventually(async () => {
    const shown = await the.as("tenant-staff").get(`${path}/${id}`, of);
    expect(field(shown.json, "status"), shown.text).toBe("succeeded");
  });
  return { ...named, result: id };
}

/** A dataset with a report about it. */
async function report(the: TestPlatform): Promise<Record<string, string>> {
  const named = await dataset(the);
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const body = { report: named["dataset"], source: { dataset: named["dataset"] }, by: grid };
  const made = await the.as("tenant-staff").post("/v4/geo/reports", body, of);
  expect(made.status, made.text).toBe(201);
  return { ...named, report: String(named["dataset"]) };
}

const grid = { kind: "grid", degrees: 10 };

const badName = {
  name: "a name that is not in kebab-case",
  params: { dataset: "City_Parks" },
  pointers: ["#/path/dataset"],
};
const unknownQuery = { name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] };

/** Cases of a route that only reads: the first one is good, and a parameter is unknown. */
const reading = (name: string, answers: object, query = "") => ({
  before: dataset,
  good: [{ name, answers, query }] as const,
  bad: [unknownQuery],
});

/** Datasets, their features and imports into them, also as OGC API Features. */
export const geoCases: RouteTable = {
  "geoCollections.landing": reading("has a title", { title: "Datasets of a workspace" }),
  "geoCollections.conformance": reading("names classes", {
    conformsTo: [
      "features-1/1.0/conf/core",
      "features-1/1.0/conf/geojson",
      "features-4/1.0/conf/create-replace-delete",
      "features-4/1.0/conf/update",
      "features-4/1.0/conf/optimistic-locking-etags",
      "common-5/1.0/conf/create-replace-delete",
      "common-5/1.0/conf/update",
      "common-5/1.0/conf/optimistic-locking-etags",
      "features-4/1.0/conf/features",
    ].map((name) => `http://www.opengis.net/spec/ogcapi-${name}`),
  }),
  "geoCollections.list": reading("lists collections", {
    links: [{ rel: "self", title: "Collections" }],
  }),
  "geoCollections.get": reading("shows it", {
    id: "{dataset}",
    extent: { spatial: { bbox: [[1, 2, 1, 2]] } },
  }),
  "geoCollections.items": {
    before: dataset,
    good: [
      {
        name: "has features and links that keep the workspace",
        query: "?limit=5000",
        answers: {
          type: "FeatureCollection",
          features: [{ id: "one", geometry: point(1, 2) }],
          numberReturned: 1,
          numberMatched: 1,
        },
      },
      {
        name: "knows a box and a time",
        query: "?bbox=5,5,6,6&datetime=2020-01-01/..",
        answers: { features: [], numberReturned: 0 },
      },
    ],
    bad: [
      { name: "a box of three numbers", query: "?bbox=1,2,3", pointers: ["#/query/bbox"] },
      { name: "no time", query: "?datetime=soon", pointers: ["#/query/datetime"] },
    ],
  },
  "geoCollections.item": reading("shows it", { type: "Feature", id: "one" }),
  "geoCollections.createItem": {
    before: dataset,
    good: [
      {
        name: "makes a feature, and leaves members of no feature out",
        status: 201,
        body: { type: "Feature", id: 7, geometry: point(3, 4), properties: null, links: [] },
        answers: { type: "Feature", id: "7", geometry: point(3, 4), properties: {} },
      },
    ],
    bad: [
      { name: "nothing", body: {}, pointers: ["#/type", "#/geometry"] },
      {
        name: "a latitude beyond the pole",
        body: { type: "Feature", geometry: point(0, 91) },
        pointers: ["#/geometry/coordinates/1"],
      },
      {
        name: "an id that is used",
        body: { type: "Feature", id: "one", geometry: null },
        status: 409,
        code: "already-exists",
        pointers: ["#/id"],
      },
    ],
  },
  "geoCollections.replaceItem": {
    before: dataset,
    good: [
      {
        name: "replaces the geometry and all properties",
        body: { type: "Feature", geometry: null, properties: { kind: "oak" } },
        answers: { id: "one", geometry: null, properties: { kind: "oak" } },
      },
    ],
    bad: [
      {
        name: "the id of another feature",
        body: { type: "Feature", id: "two", geometry: null },
        pointers: ["#/id"],
      },
      {
        name: "a stale tag",
        headers: { ...headers, "if-match": '"7"' },
        body: { type: "Feature", geometry: null },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
    ],
  },
  "geoCollections.updateItem": {
    before: dataset,
    good: [
      {
        name: "merges into the geometry and the properties",
        body: { geometry: { coordinates: [5, 6] }, properties: { kind: "oak" } },
        answers: { geometry: point(5, 6), properties: { name: "One", kind: "oak" } },
      },
    ],
    bad: [
      {
        name: "coordinates of another kind of geometry",
        body: { geometry: { type: "Polygon" } },
        pointers: ["#/geometry/coordinates/0", "#/geometry/coordinates/1"],
      },
    ],
  },
  "geoCollections.removeItem": {
    before: dataset,
    good: [{ name: "removes it", status: 204 }],
    bad: [badName],
  },
  "geoReports.list": {
    before: report,
    good: [{ name: "lists reports", query: "?limit=1", answers: { items: [{ by: grid }] } }],
    bad: [unknownQuery],
  },
  "geoReports.create": {
    before: report,
    good: [
      {
        name: "makes a report",
        status: 201,
        body: { report: "{unused}", source: { dataset: "{dataset}" }, by: grid },
        answers: { report: "{unused}", title: "{unused}", by: grid, version: 1 },
      },
    ],
    bad: [
      { name: "nothing", body: {}, pointers: ["#/report", "#/source", "#/by"] },
      {
        name: "two sizes of cells",
        body: {
          report: "{unused}",
          source: { dataset: "{dataset}" },
          by: { kind: "grid", degrees: 1, metres: 100 },
        },
        pointers: ["#/by/degrees"],
      },
      {
        name: "rings out of order",
        body: {
          report: "{unused}",
          source: { dataset: "{dataset}" },
          by: { kind: "rings", position: [0, 0], metres: [2, 1] },
        },
        pointers: ["#/by/metres"],
      },
      {
        name: "a name that is used",
        body: { report: "{report}", source: { dataset: "{dataset}" }, by: grid },
        status: 409,
        code: "already-exists",
        pointers: ["#/report"],
      },
    ],
  },
  "geoReports.get": {
    before: report,
    good: [{ name: "shows it", answers: { report: "{report}", by: grid, version: 1 } }],
    bad: [unknownQuery],
  },
  "geoReports.replace": {
    before: report,
    good: [
      {
        name: "replaces it",
        body: { title: "Parks", source: { dataset: "{dataset}" }, by: grid, version: 1 },
        answers: { title: "Parks", version: 2 },
      },
    ],
    bad: [{ name: "no title", body: {}, pointers: ["#/title", "#/source", "#/by"] }],
  },
  "geoReports.update": {
    before: report,
    good: [
      {
        name: "adds a filter",
        body: { where: { name: "One" } },
        answers: { where: { name: "One" }, by: grid, version: 2 },
      },
      {
        name: "takes a schedule",
        body: { schedule: { every: "week", at: "07:30", timeZone: "Europe/London" } },
        answers: { schedule: { every: "week", at: "07:30", timeZone: "Europe/London" } },
      },
    ],
    bad: [
      { name: "no title", body: { title: "" }, pointers: ["#/title"] },
      {
        name: "no time of day",
        body: { schedule: { every: "day", at: "24:00" } },
        pointers: ["#/schedule/at"],
      },
      {
        name: "another version",
        body: { title: "Parks", version: 7 },
        status: 409,
        code: "version-conflict",
        pointers: [],
      },
    ],
  },
  "geoReports.remove": {
    before: report,
    good: [{ name: "removes it", status: 204 }],
    bad: [unknownQuery],
  },
  "geoReports.run": {
    before: report,
    good: [{ name: "has rows", answers: { rows: [{ key: "0,0", metrics: { count: 1 } }] } }],
    bad: [unknownQuery],
  },
  "geoReports.startResult": {
    before: report,
    good: [{ name: "queues it", status: 202, answers: { report: "{report}", status: "queued" } }],
    bad: [unknownQuery],
  },
  "geoReports.results": {
    before: result,
    good: [{ name: "lists it", answers: { items: [{ result: "{result}", rowCount: 1 }] } }],
    bad: [unknownQuery],
  },
  "geoReports.result": {
    before: result,
    good: [
      {
        name: "has its rows",
        answers: {
          status: "succeeded",
          scheduled: false,
          items: 1,
          rows: [{ key: "0,0", metrics: { count: 1 } }],
        },
      },
    ],
    bad: [unknownQuery],
  },
  "geoDatasets.list": {
    before: dataset,
    good: [
      {
        name: "lists datasets",
        query: "?limit=1",
        answers: { items: [{ version: 2, features: 1 }] },
      },
      { name: "takes the workspace from the query", query: "?tenant_id={tenant}" },
    ],
    bad: [unknownQuery],
  },
  "geoDatasets.create": {
    before: dataset,
    good: [
      {
        name: "makes a dataset",
        status: 201,
        body: { dataset: "{unused}", title: "Parks", nameProperties: ["ref"] },
        answers: {
          nameProperties: ["ref"],
          dataset: "{unused}",
          title: "Parks",
          features: 0,
          bbox: null,
        },
      },
    ],
    bad: [
      { name: "no name", body: {}, pointers: ["#/dataset"] },
      {
        name: "a name that is used",
        body: { dataset: "{dataset}" },
        status: 409,
        code: "already-exists",
        pointers: ["#/dataset"],
      },
    ],
  },
  "geoDatasets.get": {
    before: dataset,
    good: [{ name: "shows it", answers: { dataset: "{dataset}", bbox: [1, 2, 1, 2] } }],
    bad: [badName],
  },
  "geoDatasets.replace": {
    before: dataset,
    good: [
      {
        name: "replaces what is not given by nothing",
        body: { title: "Parks", version: 2 },
        answers: { title: "Parks", source: "", version: 3, features: 1 },
      },
    ],
    bad: [
      { name: "no title", body: {}, pointers: ["#/title"] },
      {
        name: "another version",
        body: { title: "Parks", version: 1 },
        status: 409,
        code: "version-conflict",
        pointers: [],
      },
    ],
  },
  "geoDatasets.update": {
    before: dataset,
    good: [
      { name: "changes it", body: { source: "Survey" }, answers: { source: "Survey", version: 3 } },
    ],
    bad: [
      { name: "an unknown member", body: { colour: "red" }, pointers: ["#/colour"] },
      {
        name: "a stale tag",
        headers: { ...headers, "if-match": '"1"' },
        status: 412,
        code: "precondition-failed",
        pointers: [],
      },
    ],
  },
  "geoDatasets.remove": {
    before: dataset,
    good: [{ name: "removes it", status: 204 }],
    bad: [badName],
  },
  "geoDatasets.import": {
    before: dataset,
    good: [
      {
        name: "takes a file",
        status: 202,
        query: "?format=geojson",
        headers: sent,
        rawBody: file,
        answers: { dataset: "{dataset}", status: "queued" },
      },
    ],
    bad: [
      {
        name: "an unknown format",
        query: "?format=shp",
        headers: sent,
        rawBody: file,
        pointers: ["#/query/format"],
      },
    ],
  },
  "geoDatasets.importJob": {
    before: imported,
    good: [{ name: "shows it", answers: { status: "succeeded", counts: { stored: 1 } } }],
    bad: [badName],
  },
  "geoDatasets.cancelImport": {
    before: imported,
    good: [{ name: "refuses to stop one that has ended", status: 409 }],
    bad: [badName],
  },
  "geoFeatures.list": {
    before: dataset,
    good: [
      { name: "lists features", answers: { items: [{ id: "one", geometry: point(1, 2) }] } },
      { name: "knows a box", query: "?bbox=5,5,6,6", answers: { items: [] } },
    ],
    bad: [
      { name: "a box of three numbers", query: "?bbox=1,2,3", pointers: ["#/query/bbox"] },
      { name: "a box beyond the earth", query: "?bbox=0,0,0,91", pointers: ["#/query/bbox"] },
      { name: "no distance", query: "?near=1,2", pointers: ["#/query/near"] },
      {
        name: "an unknown operator",
        query: "?where=%7B%22a%22%3A%7B%22%24near%22%3A1%7D%7D",
        pointers: ["#/query/where/a/$near"],
      },
    ],
  },
  "geoFeatures.create": {
    before: dataset,
    good: [
      {
        name: "makes a feature",
        status: 201,
        body: { geometry: point(3, 4), properties: { name: "Two" } },
        answers: { type: "Feature", geometry: point(3, 4), version: 1 },
      },
    ],
    bad: [
      { name: "no geometry", body: {}, pointers: ["#/geometry"] },
      {
        name: "a latitude beyond the pole",
        body: { geometry: point(0, 91) },
        pointers: ["#/geometry/coordinates/1"],
      },
    ],
  },
  "geoFeatures.query": {
    before: dataset,
    good: [
      {
        name: "finds features",
        body: { near: { position: [1, 2], metres: 5 } },
        answers: { items: [{ id: "one", distance: 0 }] },
      },
    ],
    bad: [
      { name: "a line to be within", body: { within: point(0, 0) }, pointers: ["#/within/type"] },
      {
        name: "an open ring",
        body: { intersects: { type: "Polygon", coordinates: [[[0, 0]]] } },
        pointers: ["#/intersects/coordinates/0"],
      },
    ],
  },
  "geoFeatures.get": {
    before: dataset,
    good: [{ name: "shows it", answers: { id: "one", properties: { name: "One" } } }],
    bad: [badName],
  },
  "geoFeatures.update": {
    before: dataset,
    good: [
      {
        name: "changes it",
        body: { properties: { name: "Two" }, version: 1 },
        answers: { properties: { name: "Two" }, version: 2 },
      },
    ],
    bad: [
      { name: "an unknown member", body: { colour: "red" }, pointers: ["#/colour"] },
      {
        name: "another version",
        body: { properties: {}, version: 7 },
        status: 409,
        code: "version-conflict",
        pointers: [],
      },
    ],
  },
  "geoFeatures.remove": {
    before: dataset,
    good: [{ name: "removes it", status: 204 }],
    bad: [badName],
  },
};
