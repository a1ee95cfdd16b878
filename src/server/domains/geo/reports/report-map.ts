import type { JsonObject } from "#contract/values.ts";
import { coastLines } from "#lib/map/coast.ts";
import { svgMap, type MapShape } from "#lib/map/svg-map.ts";
import type { PlacedResult, PlacedRow } from "./run-report.ts";

/** The result as a map: groups are darker with a larger first value, and items are alike. */
export function svgResult({ report, rows }: PlacedResult): string {
  const values = rows.map(({ metrics }) => firstNumber(metrics));
  const most = values.reduce<number>((one, other) => Math.max(one, other ?? 0), 0);
  const shapes = rows.flatMap((row, at): MapShape[] => {
    if (row.geometry === null) return [];
    const value = values[at];
    const weight = value === undefined || most === 0 ? undefined : Math.max(0, value) / most;
    return [{ geometry: row.geometry, title: titleOf(row), weight }];
  });
  return svgMap({ title: report, shapes, coast: coastLines() });
}

function firstNumber(metrics: JsonObject | undefined): number | undefined {
  const [first] = Object.values(metrics ?? {});
  return typeof first === "number" ? first : undefined;
}

function titleOf({ key, name, metrics, distance }: PlacedRow): string {
  const values = Object.entries(metrics ?? {}).map(([alias, value]) => `${alias} ${String(value)}`);
  const metres = distance === undefined ? [] : [`${distance} m`];
  return [name ?? key, ...values, ...metres].join(", ");
}
