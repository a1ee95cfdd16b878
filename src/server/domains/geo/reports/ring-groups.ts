import type { ReportMetrics } from "#contract/geo/reports.ts";
import { earthRadiusMetres, metresTo } from "../../../kit/geometry/distance.ts";
import type { Geometry, Line, Position } from "#lib/geometry/geometry.ts";
import { newGroup, type Group, type Groups } from "./groups.ts";

const corners = 72;

/** Rings around a position, of which the first is a disc. An item counts by its nearest point. */
export class RingGroups implements Groups {
  readonly #rings: readonly { readonly to: number; readonly group: Group }[];

  /** `metres` are the outer distances, in ascending order. */
  constructor(
    private readonly position: Position,
    metres: readonly number[],
    metrics: ReportMetrics,
  ) {
    this.#rings = metres.map((to, at) => {
      const from = metres[at - 1] ?? 0;
      const geometry = ringOf(position, from, to);
      return { to, group: newGroup(metrics, { key: `${from}-${to}`, geometry }) };
    });
  }

  of(geometry: Geometry): readonly Group[] {
    const distance = metresTo(this.position, geometry);
    const ring = this.#rings.find(({ to }) => distance <= to);
    return ring === undefined ? [] : [ring.group];
  }

  rows(): readonly Group[] {
    return this.#rings.map(({ group }) => group);
  }
}

/** The area of a ring; null for one that crosses 180 degrees or has a pole. */
function ringOf(position: Position, from: number, to: number): Geometry | null {
  const outer = circle(position, to);
  if (outer === undefined) return null;
  const inner = from === 0 ? undefined : circle(position, from)?.toReversed();
  return { type: "Polygon", coordinates: inner === undefined ? [outer] : [outer, inner] };
}

/** A circle on the sphere, against the clock. */
function circle([x = 0, y = 0]: Position, metres: number): Line | undefined {
  const angle = metres / earthRadiusMetres;
  const latitude = (y * Math.PI) / 180;
  if (Math.abs(latitude) + angle >= Math.PI / 2) return undefined;
  const positions = Array.from({ length: corners }, (_corner, at): Position => {
    const bearing = (-at / corners) * 2 * Math.PI;
    const sine =
      Math.sin(latitude) * Math.cos(angle) +
      Math.cos(latitude) * Math.sin(angle) * Math.cos(bearing);
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(latitude),
      Math.cos(angle) - Math.sin(latitude) * sine,
    );
    return [rounded(x + (east * 180) / Math.PI), rounded((Math.asin(sine) * 180) / Math.PI)];
  });
  if (positions.some(([longitude = 0]) => Math.abs(longitude) > 180)) return undefined;
  return [...positions, ...positions.slice(0, 1)];
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
