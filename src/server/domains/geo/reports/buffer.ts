import { boxesAround, earthRadiusMetres, metresTo } from "../../../kit/geometry/distance.ts";
import {
  boxOf,
  partsOf,
  type Box,
  type Geometry,
  type Parts,
  type Position,
} from "#lib/geometry/geometry.ts";
import { CrowdedEdgesError } from "#lib/geometry/edges.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import { PreparedGeometry } from "../../../kit/geometry/predicates.ts";
import type { TickShare } from "../../../kit/turns/tick-share.ts";

/** Metres from one geometry to others: 0 where they have a point in common. */
export class Buffer {
  /** A box with everything within the distance; it may cross 180 degrees. */
  readonly box: Box;
  readonly #prepared: PreparedGeometry;
  readonly #boundary: Geometry;
  readonly #positions: readonly Position[];

  constructor(geometry: Geometry, metres: number) {
    const parts = partsOf(geometry);
    this.#prepared = PreparedGeometry.of(geometry);
    this.#boundary = boundaryOf(parts);
    this.#positions = positionsOf(parts);
    this.box = boxWithin(boxOf(parts) ?? [0, 0, 0, 0], metres);
  }

  async #meets(geometry: Geometry, ticks: TickShare): Promise<boolean> {
    try {
      return await ticks.run(this.#prepared.intersects(geometry));
    } catch (error) {
      if (!(error instanceof CrowdedEdgesError)) throw error;
      const detail = "has too many positions to be compared with a feature: simplify it";
      throw invalid([faultAt("body", ["by", "geometry"], detail)]);
    }
  }

  /** Long work for geometries with many positions, which goes on in parts of ticks. */
  async metresTo(geometry: Geometry, ticks: TickShare): Promise<number> {
    if (await this.#meets(geometry, ticks)) return 0;
    const parts = partsOf(geometry);
    const boundary = boundaryOf(parts);
    let least = Infinity;
    for (const position of positionsOf(parts)) {
      await ticks.yieldWhenUsed();
      least = Math.min(least, metresTo(position, this.#boundary));
    }
    for (const position of this.#positions) {
      await ticks.yieldWhenUsed();
      least = Math.min(least, metresTo(position, boundary));
    }
    return least;
  }
}

function boxWithin([west, south, east, north]: Box, metres: number): Box {
  const corners = [
    [west, south],
    [west, north],
    [east, south],
    [east, north],
  ];
  const around = corners.map((corner) => boxesAround(corner, metres));
  const degrees = (metres / earthRadiusMetres) * (180 / Math.PI) + 1e-9;
  const lowest = Math.max(-90, south - degrees);
  const highest = Math.min(90, north + degrees);
  const widths = around.map((boxes) => boxes.reduce((sum, [x1, , x2]) => sum + x2 - x1, 0));
  const width = Math.max(...widths) / 2;
  if (east - west + 2 * width >= 360) return [-180, lowest, 180, highest];
  return [turned(west - width), lowest, turned(east + width), highest];
}

/** The longitude between -180 and 180 degrees. */
function turned(longitude: number): number {
  if (longitude < -180) return longitude + 360;
  return longitude > 180 ? longitude - 360 : longitude;
}

function boundaryOf({ points, lines, polygons }: Parts): Geometry {
  return {
    type: "GeometryCollection",
    geometries: [
      { type: "MultiPoint", coordinates: points },
      { type: "MultiLineString", coordinates: [...lines, ...polygons.flat()] },
    ],
  };
}

function positionsOf({ points, lines, polygons }: Parts): Position[] {
  return [points, ...lines, ...polygons.flat()].flat();
}
