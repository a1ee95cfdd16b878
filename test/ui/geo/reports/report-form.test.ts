import { expect, it, test } from "vitest";
import {
  definitionOf,
  definitionOptions,
  kindOf,
  reportChanges,
  reportData,
  reportFaults,
  reportFields,
  type ReportKind,
} from "#ui/geo/reports/report-form.ts";

const source = { dataset: "parks" };
const line = { type: "LineString", coordinates: [] };
const cases: readonly (readonly [ReportKind, object, object, object])[] = [
  [
    "areas",
    { areas: "wards", name: "label" },
    { dataset: "wards", name: "label" },
    { areas: "wards", name: "label" },
  ],
  ["grid", { metres: 500 }, { metres: 500 }, { metres: 500 }],
  [
    "rings",
    { at: "1,2", rings: "5,10" },
    { position: [1, 2], metres: [5, 10] },
    { at: "1,2", rings: "5,10" },
  ],
  [
    "nearest",
    { at: "1,2", count: 3, metres: 9 },
    { position: [1, 2], count: 3, metres: 9 },
    { at: "1,2", nearest: 3, within: 9 },
  ],
  [
    "buffer",
    { geometry: line, metres: 9 },
    { geometry: line, metres: 9 },
    { buffer: JSON.stringify(line), within: 9 },
  ],
];

test.each(cases)(
  "a report by %s is made of its form, and shown in it",
  (kind, data, by, options) => {
    const definition = definitionOf(kind, { source, ...data });
    expect(definition).toEqual({ source, by: { kind, ...by } });
    expect(definitionOptions(definition)).toMatchObject({ dataset: "parks", ...options });
    const report = { report: "r", ...definition, by: { ...definition.by } };
    expect(kindOf(report)).toBe(kind);
    expect(reportData(report)).toEqual({ source, ...data });
    expect(reportChanges(kind, report, reportData(report))).toEqual({});
    const names = reportFields(kind, { types: [], datasets: ["parks"] }, "existing").map(
      ({ name }) => name,
    );
    for (const name of Object.keys(data)) expect(names).toContain(name);
  },
);

it("removes a filter and figures by null", () => {
  const metrics = { count: { op: "count" }, sum: { op: "sum", field: "fee" } };
  const report = {
    report: "r",
    source,
    by: { kind: "grid", degrees: 1 },
    where: { a: 1 },
    metrics,
  };
  const { where: _, sum, ...data } = reportData(report);
  expect(sum).toBe("fee");
  expect(reportChanges("grid", report, data)).toEqual({ where: null, metrics: null });
});

it("refuses points, rings and cells that are none", () => {
  const pointers = (kind: ReportKind, data: object) =>
    reportFaults(kind, { ...data }).map(({ pointer }) => pointer);
  expect(pointers("nearest", { at: "1" })).toEqual(["#/at"]);
  expect(pointers("rings", { at: "1,2", rings: "5,x" })).toEqual(["#/rings"]);
  expect(pointers("grid", {})).toEqual(["#/metres"]);
  expect(pointers("buffer", { geometry: "x", where: { a: 1 } })).toEqual(["#/geometry"]);
});
