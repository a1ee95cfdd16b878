import { positionOf } from "../geometry/area.ts";
import { readGeometry } from "../geometry/read-geometry.ts";
import type { MapPoint } from "./window.ts";

export interface MapPlace {
  readonly property: string;
  readonly coordinates: MapPoint;
}

/** A position of each geometry in the data of a record, or of the wanted property alone. */
export function placesIn(data: object, wanted?: string): MapPlace[] {
  return Object.entries(data).flatMap(([property, value]: [string, unknown]) => {
    if (wanted !== undefined && property !== wanted) return [];
    const reading = readGeometry(value, { keep: true });
    if (reading.faults !== undefined || reading.geometry === null) return [];
    const [longitude, latitude] = positionOf(reading.geometry) ?? [];
    if (longitude === undefined || latitude === undefined) return [];
    return [{ property, coordinates: [longitude, latitude] }];
  });
}
