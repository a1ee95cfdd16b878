import { point } from "../geo/datasets/world.ts";
import { geoReportCases } from "./geo-reports.ts";
import { badName, dataset, file, headers, imported, sent, unknownQuery } from "./geo-world.ts";
import type { RouteTable } from "./route-case.ts";

/** Datasets, their features and imports into them, also as OGC API Features. */
export const geoCases: RouteTable = {
  ...geoReportCases,
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
