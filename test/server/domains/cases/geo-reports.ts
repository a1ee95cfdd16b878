import { point } from "../geo/datasets/world.ts";
import {
  badName,
  dataset,
  grid,
  headers,
  reading,
  report,
  result,
  unknownQuery,
} from "./geo-world.ts";
import type { RouteTable } from "./route-case.ts";

/** Collections of OGC API Features, and reports. */
export const geoReportCases: RouteTable = {
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
  "geoCollections.schema": reading("has the types of properties", {
    properties: { properties: { properties: { name: { type: "string" } } } },
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
      {
        name: "a box of three numbers",
        query: "?bbox=1,2,3",
        status: 400,
        code: "malformed-request",
        pointers: ["#/query/bbox"],
      },
      {
        name: "no time",
        query: "?datetime=soon",
        status: 400,
        code: "malformed-request",
        pointers: ["#/query/datetime"],
      },
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
};
