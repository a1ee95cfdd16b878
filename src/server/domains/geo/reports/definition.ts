import type { ReportBy, ReportDefinition, ReportMetrics } from "#contract/geo/reports.ts";
import type { Fault } from "#contract/problems.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import { partsOf, type Geometry } from "#lib/geometry/geometry.ts";
import { readGeometry } from "#lib/geometry/read-geometry.ts";

const mostMetrics = 20;
const mostPositions = 500;
const mostCharacters = 65_536;

/** The metrics of a report that names none. */
export const onlyCount: ReportMetrics = { count: { op: "count" } };

/** Refuses 422 with a pointer to each fault that the schema cannot see. */
export function requireDefinition({ by, metrics, ...rest }: ReportDefinition): void {
  if (JSON.stringify({ by, metrics, ...rest }).length > mostCharacters) {
    throw invalid([faultAt("body", [], `must have at most ${mostCharacters} characters`)]);
  }
  const faults = [...byFaults(by), ...metricFaults(by, metrics)];
  if (faults.length > 0) throw invalid(faults);
}

/** The valid geometry of a buffer. */
export function bufferGeometry(value: unknown): Geometry {
  const reading = readGeometry(value);
  const { faults } = reading;
  if (faults !== undefined) {
    throw invalid(
      faults.map(({ path, detail }) => faultAt("body", ["by", "geometry", ...path], detail)),
    );
  }
  return reading.geometry ?? { type: "MultiPoint", coordinates: [] };
}

function byFaults(by: ReportBy): Fault[] {
  const fault = (name: string, detail: string): Fault[] => [faultAt("body", ["by", name], detail)];
  switch (by.kind) {
    case "grid":
      return (by.degrees === undefined) === (by.metres === undefined)
        ? fault("degrees", "or metres is required, and not both")
        : [];
    case "rings":
      return by.metres.every((each, at) => each > (by.metres[at - 1] ?? 0))
        ? []
        : fault("metres", "must be above 0 and in ascending order, without repetition");
    case "buffer": {
      const { points, lines, polygons } = partsOf(bufferGeometry(by.geometry));
      const positions = [points, ...lines, ...polygons.flat()].flat().length;
      if (positions === 0) return fault("geometry", "must have at least one position");
      return positions > mostPositions
        ? fault("geometry", `must have at most ${mostPositions} positions: simplify it first`)
        : [];
    }
    default:
      return [];
  }
}

function metricFaults({ kind }: ReportBy, metrics: ReportMetrics | undefined): Fault[] {
  if (metrics === undefined) return [];
  if (kind === "nearest" || kind === "buffer") {
    return [faultAt("body", ["metrics"], `cannot be given: ${kind} has a row for each item`)];
  }
  const count = Object.keys(metrics).length;
  if (count === 0 || count > mostMetrics) {
    return [faultAt("body", ["metrics"], `must have 1 to ${mostMetrics} metrics`)];
  }
  return Object.entries(metrics).flatMap(([name, { op, field }]) =>
    op === "count" || field !== undefined
      ? []
      : [faultAt("body", ["metrics", name, "field"], "is required")],
  );
}
