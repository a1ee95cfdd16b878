import type { ReportResult } from "#contract/geo/reports.ts";
import type { JsonObject } from "#contract/values.ts";
import { csvLines } from "#lib/text/csv.ts";
import { positionOf } from "#lib/geometry/area.ts";
import type { PlacedResult, PlacedRow } from "./run-report.ts";

/** The result as JSON: groups are without their geometries, which may be large. */
export function jsonResult({ rows, ...facts }: PlacedResult): ReportResult {
  return {
    ...facts,
    rows: rows.map(({ geometry, ...row }) =>
      row.properties === undefined ? row : { ...row, geometry: geometry && { ...geometry } },
    ),
  };
}

/** The result as a FeatureCollection (RFC 7946): a feature for each row. */
export function geojsonResult({ rows, ...facts }: PlacedResult): JsonObject {
  const features = rows.map(({ key, geometry, name, metrics, distance, properties }) => ({
    type: "Feature",
    id: key,
    geometry,
    properties: {
      ...properties,
      ...(name === undefined ? {} : { name }),
      ...metrics,
      ...(distance === undefined ? {} : { distance }),
    },
  }));
  return { type: "FeatureCollection", ...facts, features };
}

/** The result as CSV with a heading; an item has a position of its geometry. */
export async function csvResult({ rows }: PlacedResult): Promise<string> {
  const [first] = rows;
  const isItems = first?.properties !== undefined;
  const values = (row: PlacedRow): JsonObject => row.metrics ?? row.properties ?? {};
  const names = [...new Set(rows.flatMap((row) => Object.keys(values(row))))];
  const fixed = isItems
    ? ["key", "distance", "longitude", "latitude"]
    : first?.name === undefined
      ? ["key"]
      : ["key", "name"];
  const lines = rows.map((row) => {
    const [longitude, latitude] = (row.geometry && positionOf(row.geometry)) ?? [];
    const own: JsonObject = { ...row, longitude, latitude };
    return [...fixed.map((name) => own[name]), ...names.map((name) => cellOf(values(row)[name]))];
  });
  return csvLines([[...fixed, ...names], ...lines]);
}

function cellOf(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
