import type { ReportMetrics } from "#contract/geo/reports.ts";
import type { Geometry } from "#lib/geometry/geometry.ts";
import { Totals } from "./totals.ts";

/** A row of a report that counts items. */
export interface Group {
  readonly key: string;
  readonly name: string | null;
  readonly geometry: Geometry | null;
  readonly totals: Totals;
}

/** The rows of a report, which finds those of an item. */
export interface Groups {
  of(geometry: Geometry): readonly Group[];
  rows(): readonly Group[];
}

export function newGroup(
  metrics: ReportMetrics,
  {
    key,
    name = null,
    geometry,
  }: Pick<Group, "key" | "geometry"> & { readonly name?: string | null },
): Group {
  return { key, name, geometry, totals: new Totals(metrics) };
}
