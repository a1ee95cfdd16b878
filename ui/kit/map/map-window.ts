import type { JsonObject, ObjectType } from "#client/index.ts";
import type { MapWindow } from "#lib/map/window.ts";
import { dataFields } from "../data-fields/data-fields.ts";

const wholeCircle = 360;
const leastDegrees = 0.0005;

/** The properties of a type that have a place on a map. */
export function placeProperties(type: ObjectType): string[] {
  return Object.entries(dataFields(type))
    .filter(([, property]) => property.type === "geopoint" || property.type === "geometry")
    .map(([name]) => name);
}

function around(window: MapWindow, at: readonly [number, number], factor: number): MapWindow {
  const width = Math.min(wholeCircle, Math.max(leastDegrees, (window.east - window.west) * factor));
  const height = Math.min(180, Math.max(leastDegrees, (window.north - window.south) * factor));
  const [longitude, middle] = at;
  const latitude = Math.max(height / 2 - 90, Math.min(middle, 90 - height / 2));
  // A window begins between -180 and 180 degrees; its east may be above 180.
  const west = longitude - width / 2;
  const turns = Math.floor((west + 180) / wholeCircle) * wholeCircle;
  return {
    west: west - turns,
    east: west + width - turns,
    south: latitude - height / 2,
    north: latitude + height / 2,
  };
}

function middleOf({ west, east, south, north }: MapWindow): readonly [number, number] {
  return [(west + east) / 2, (south + north) / 2];
}

/** The window with the same middle, and sides longer by the factor. */
export function zoomed(window: MapWindow, factor: number): MapWindow {
  return around(window, middleOf(window), factor);
}

/** The window moved by shares of its width to the east, and of its height to the north. */
export function moved(window: MapWindow, east: number, north: number): MapWindow {
  const [longitude, latitude] = middleOf(window);
  const to = [
    longitude + east * (window.east - window.west),
    latitude + north * (window.north - window.south),
  ] as const;
  return around(window, to, 1);
}

function rounded(degrees: number): number {
  return Number(degrees.toFixed(5));
}

/** West, south, east and north of a window; undefined for one that goes around the earth. */
export function boxOf(window: MapWindow): [number, number, number, number] | undefined {
  const { west, east, south, north } = window;
  if (east - west >= wholeCircle) return undefined;
  // A box whose west is east of its east goes across 180 degrees.
  const end = east > 180 ? east - wholeCircle : east;
  return [rounded(west), rounded(south), rounded(end), rounded(north)];
}

/** The filter of the records that have a place in the window, and match the other filter. */
export function areaFilter(
  properties: readonly string[],
  window: MapWindow,
  where: JsonObject | undefined,
): JsonObject | undefined {
  const box = boxOf(window);
  if (box === undefined || properties.length === 0) return where;
  const [west, south, east, north] = box;
  const $box = [
    [west, south],
    [east, north],
  ];
  const inside = properties.map((name): JsonObject => ({ [name]: { $geoWithin: { $box } } }));
  const [only] = inside;
  const area = inside.length === 1 && only !== undefined ? only : { $or: inside };
  return where === undefined ? area : { $and: [where, area] };
}

function degreesWords(degrees: number, [positive, negative]: readonly [string, string]): string {
  return `${Math.abs(degrees).toFixed(2)}${degrees < 0 ? negative : positive}`;
}

/** The middle of a window and the degrees that it is wide: `53.40N 2.95W ↔ 0.20°`. */
export function windowWords(window: MapWindow): string {
  const [east, latitude] = middleOf(window);
  const longitude = east > 180 ? east - wholeCircle : east;
  const at = `${degreesWords(latitude, ["N", "S"])} ${degreesWords(longitude, ["E", "W"])}`;
  return `${at} ↔ ${(window.east - window.west).toFixed(2)}°`;
}
