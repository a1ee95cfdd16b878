import Flatbush from "flatbush";
import type { ReportMetrics } from "#contract/geo/reports.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { TickShare } from "../../../kit/turns/tick-share.ts";
import { Area, positionOf } from "#lib/geometry/area.ts";
import { boxOf, partsOf, type Box, type Geometry } from "#lib/geometry/geometry.ts";
import { newGroup, type Group, type Groups } from "./groups.ts";
import type { ReportItem } from "./report-items.ts";

const mostAreas = 10_000;
/** Positions of all areas, which are in memory while the report runs. */
const mostPositions = 1_000_000;

interface PlacedArea {
  readonly group: Group;
  readonly area: Area;
  readonly box: Box;
}

/** The areas of a dataset; features without an area are left out. */
export class AreaGroups implements Groups {
  readonly #areas: readonly PlacedArea[];
  readonly #index: Flatbush | undefined;

  private constructor(areas: readonly PlacedArea[]) {
    this.#areas = areas;
    if (areas.length === 0) return;
    this.#index = new Flatbush(areas.length);
    for (const { box } of areas) this.#index.add(...box);
    this.#index.finish();
  }

  /** Refuses 422 for a dataset with too many areas or positions. */
  static async read(
    features: AsyncIterable<ReportItem>,
    { metrics, name }: { readonly metrics: ReportMetrics; readonly name: string | undefined },
    ticks: TickShare,
  ): Promise<AreaGroups> {
    const areas: PlacedArea[] = [];
    let positions = 0;
    for await (const { id: key, geometry, properties } of features) {
      const { polygons } = geometry === undefined ? { polygons: [] } : partsOf(geometry);
      const box = boxOf({ points: [], lines: [], polygons });
      if (geometry === undefined || box === undefined) continue;
      positions += polygons.flat(2).length;
      if (areas.length === mostAreas || positions > mostPositions) throw tooLarge();
      const named = name === undefined ? undefined : properties[name];
      const text = typeof named === "string" || typeof named === "number" ? String(named) : null;
      const group = newGroup(metrics, { key, name: text, geometry });
      areas.push({ group, area: await ticks.run(Area.inParts(polygons)), box });
    }
    return new AreaGroups(areas);
  }

  of(geometry: Geometry): readonly Group[] {
    const [x, y] = positionOf(geometry) ?? [];
    if (x === undefined || y === undefined || this.#index === undefined) return [];
    const near = this.#index.search(x, y, x, y).toSorted((a, b) => a - b);
    let onBoundary: Group | undefined;
    const inside = near.flatMap((place) => {
      const placed = this.#areas[place];
      const location = placed?.area.locate(x, y);
      if (location === "boundary") onBoundary ??= placed?.group;
      return placed !== undefined && location === "inside" ? [placed.group] : [];
    });
    return inside.length > 0 || onBoundary === undefined ? inside : [onBoundary];
  }

  rows(): readonly Group[] {
    return this.#areas.map(({ group }) => group);
  }
}

function tooLarge() {
  const [areas, positions] = [mostAreas, mostPositions].map((each) => each.toLocaleString("en"));
  const detail = `must have at most ${areas} areas with ${positions} positions: simplify it`;
  return invalid([faultAt("body", ["by", "dataset"], detail)]);
}
