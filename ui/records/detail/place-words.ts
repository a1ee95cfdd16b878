import { counted } from "#lib/text/counted.ts";
import { pointWords } from "../../kit/text/words.ts";

/** A geometry as `Polygon of 5 positions`, and its first position. */
export function geometryWords(
  value: unknown,
): { readonly kind: string; readonly place: string } | undefined {
  if (typeof value !== "object" || value === null || !("type" in value)) return undefined;
  const positions = positionsIn(value);
  const [first] = positions;
  const place = pointWords({ coordinates: first });
  if (place === undefined) return undefined;
  const kind = `${String(value.type)} of ${counted(positions.length, "position")}`;
  return { kind, place: positions.length === 1 ? place : `from ${place}` };
}

function positionsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    return typeof value[0] === "number" ? [value] : value.flatMap(positionsIn);
  }
  if (typeof value !== "object" || value === null) return [];
  if ("geometries" in value) return positionsIn(value.geometries);
  return "coordinates" in value ? positionsIn(value.coordinates) : [];
}
