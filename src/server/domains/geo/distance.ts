import type { Point } from "#contract/geo.ts";

/** The mean radius of the earth (IUGG). */
const earthRadiusMetres = 6_371_008.8;

/** Metres between two points on a sphere, by the haversine formula. */
export function metresBetween(one: Point, other: Point): number {
  const [longitude, latitude] = one.coordinates.map(radians) as [number, number];
  const [otherLongitude, otherLatitude] = other.coordinates.map(radians) as [number, number];
  const across = Math.sin((otherLongitude - longitude) / 2) ** 2;
  const along = Math.sin((otherLatitude - latitude) / 2) ** 2;
  const chord = along + Math.cos(latitude) * Math.cos(otherLatitude) * across;
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

const decimal = String.raw`([+-]?\d{1,3}(?:\.\d{1,15})?)`;
const pair = new RegExp(String.raw`^\s*${decimal}\s*[,;]\s*${decimal}\s*$`);
const geoUri = new RegExp(String.raw`^\s*geo:${decimal},${decimal}(?:[,;].*)?$`, "i");

/**
 * The point of `latitude, longitude` in degrees, or of a geo URI (RFC 5870); undefined for another
 * text and for numbers outside the earth.
 */
export function pointIn(text: string): Point | undefined {
  const found = pair.exec(text) ?? geoUri.exec(text);
  if (found === null) return undefined;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  return { type: "Point", coordinates: [longitude, latitude] };
}
