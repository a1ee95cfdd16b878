import type { ReportMetrics } from "#contract/geo/reports.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import { positionOf } from "#lib/geometry/area.ts";
import { earthRadiusMetres } from "../../../kit/geometry/distance.ts";
import { boxPolygon, type Box, type Geometry } from "#lib/geometry/geometry.ts";
import { newGroup, type Group, type Groups } from "./groups.ts";

const mostCells = 10_000;
const metresPerDegree = (earthRadiusMetres * Math.PI) / 180;

/** The size of cells, in degrees or in metres. */
export type CellSize = { readonly degrees: number } | { readonly metres: number };

/**
 * Cells from 180 degrees west and the south pole. Those in metres have fewer columns towards the
 * poles, so that each has nearly the width of its height.
 */
export class GridGroups implements Groups {
  readonly #cells = new Map<string, Group>();

  constructor(
    private readonly size: CellSize,
    private readonly metrics: ReportMetrics,
  ) {}

  /** Refuses 422 for more than 10,000 cells with items. */
  of(geometry: Geometry): readonly Group[] {
    const [x, y] = positionOf(geometry) ?? [];
    if (x === undefined || y === undefined) return [];
    const box = this.#cellAt(x, y);
    const key = `${box[0]},${box[1]}`;
    const known = this.#cells.get(key);
    if (known !== undefined) return [known];
    if (this.#cells.size === mostCells) throw tooManyCells(this.size);
    const polygon: Geometry = { type: "Polygon", coordinates: boxPolygon(box) };
    const cell = newGroup(this.metrics, { key, geometry: polygon });
    this.#cells.set(key, cell);
    return [cell];
  }

  /** The cells from south to north, and from west to east. */
  rows(): readonly Group[] {
    const corner = ({ key }: Group): number[] => key.split(",").map(Number);
    return [...this.#cells.values()].toSorted((one, other) => {
      const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [corner(one), corner(other)];
      return y1 - y2 || x1 - x2;
    });
  }

  #cellAt(x: number, y: number): Box {
    const isMetres = "metres" in this.size;
    const height = "metres" in this.size ? this.size.metres / metresPerDegree : this.size.degrees;
    const [south, north] = step(y, { from: -90, to: 90, size: height });
    const middle = ((south + north) / 2 / 180) * Math.PI;
    const columns = Math.max(1, Math.round((360 * Math.cos(middle)) / height));
    const width = isMetres ? 360 / columns : height;
    const [west, east] = step(x, { from: -180, to: 180, size: width });
    return [west, south, east, north];
  }
}

/** The ends of the step with a value; the last step has both of its ends. */
function step(
  value: number,
  { from, to, size }: { readonly from: number; readonly to: number; readonly size: number },
): [number, number] {
  const last = Math.max(0, Math.ceil(rounded((to - from) / size)) - 1);
  const at = Math.min(last, Math.max(0, Math.floor(rounded((value - from) / size))));
  return [rounded(from + at * size), Math.min(to, rounded(from + (at + 1) * size))];
}

/** A number of degrees to a tenth of a millimetre, without the noise of a division. */
function rounded(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

function tooManyCells(size: CellSize) {
  const [name, value] =
    "metres" in size ? (["metres", size.metres] as const) : (["degrees", size.degrees] as const);
  const limit = mostCells.toLocaleString("en");
  const detail = `must be above ${value}: the report has more than ${limit} cells with items`;
  return invalid([faultAt("body", ["by", name], detail)]);
}
