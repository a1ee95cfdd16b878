/** Longitude and latitude in degrees. */
export type MapPoint = readonly [longitude: number, latitude: number];

/** The part of the earth that a map shows, in degrees; east is above 180 across 180 degrees. */
export interface MapWindow {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The part of the width and height that is left free around the points. */
const margin = 0.08;
const leastDegrees = 0.02;
const wholeEarth: MapWindow = { west: -180, south: -90, east: 180, north: 90 };

/**
 * The smallest window of a picture's shape that has all points. Distances along both axes are the
 * same in its middle. Without points it is the whole earth.
 */
export function windowAround(
  points: readonly MapPoint[],
  shape: { readonly width: number; readonly height: number },
): MapWindow {
  if (points.length === 0) return wholeEarth;
  const latitudes = points.map(([, latitude]) => latitude);
  const [south, north] = [least(latitudes), most(latitudes)];
  const [west, east] = shortestArc(points.map(([longitude]) => longitude));
  const middle = (south + north) / 2;
  const shrink = Math.max(0.1, Math.cos((middle * Math.PI) / 180));
  const free = 1 + 2 * margin;
  const heightDegrees = Math.max(leastDegrees, (north - south) * free);
  const widthDegrees = Math.max(leastDegrees, (east - west) * free * shrink);
  const degreesPerDot = Math.max(heightDegrees / shape.height, widthDegrees / shape.width);
  const halfHeight = Math.min(90, (degreesPerDot * shape.height) / 2);
  const halfWidth = Math.min(180, (degreesPerDot * shape.width) / shrink / 2);
  const center = Math.min(90 - halfHeight, Math.max(halfHeight - 90, middle));
  const across = (west + east) / 2;
  return {
    west: across - halfWidth,
    south: center - halfHeight,
    east: across + halfWidth,
    north: center + halfHeight,
  };
}

/** The shortest part of a circle of latitude that has all longitudes: it leaves the widest gap. */
function shortestArc(longitudes: readonly number[]): readonly [west: number, east: number] {
  const sorted = longitudes.toSorted((one, other) => one - other);
  const first = sorted[0] ?? 0;
  const last = sorted.at(-1) ?? 0;
  let widest = first + 360 - last;
  let arc: readonly [number, number] = [first, last];
  for (const [index, longitude] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next === undefined || next - longitude <= widest) continue;
    widest = next - longitude;
    arc = [next, longitude + 360];
  }
  return arc;
}

function least(values: readonly number[]): number {
  return values.reduce((one, other) => Math.min(one, other), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((one, other) => Math.max(one, other), -Infinity);
}
