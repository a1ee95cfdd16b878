import type { GeoFeature } from "#contract/geo/features.ts";
import { positionOf } from "#lib/geometry/area.ts";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { fieldLines, jsonLines, type StyledLine } from "../../kit/text/styled-lines.ts";
import { countWords, distanceWords, pointWords, valueWords } from "../../kit/text/words.ts";
import { namesOf } from "./feature-query.ts";

/** The type of a geometry, or `none`. */
export function geometryType({ geometry }: Pick<GeoFeature, "geometry">): string {
  const type = geometry?.["type"];
  return typeof type === "string" ? type : "none";
}

/** A value of the properties that names the feature, else its id. */
export function featureName(feature: GeoFeature, declared: readonly string[]): string {
  const properties = feature.properties ?? {};
  const names = namesOf(declared);
  const called = Object.keys(properties).find((key) => names.includes(key.toLowerCase()));
  const key = names.find((name) => valueWords(properties[name]) !== "") ?? called;
  const name = key === undefined ? "" : valueWords(properties[key]);
  return name === "" ? feature.id : name;
}

/** A position of a geometry as text; empty without one. */
export function positionWords(geometry: unknown): string {
  const reading = readGeometry(geometry, { keep: true });
  if (reading.faults !== undefined || reading.geometry === null) return "";
  const position = positionOf(reading.geometry);
  if (position === undefined) return "";
  const rounded = [position[0], position[1]].map((degrees) => Number((degrees ?? 0).toFixed(5)));
  return pointWords({ coordinates: rounded }) ?? "";
}

/** The properties in one line, without those that name the feature. */
export function propertyWords(feature: GeoFeature, declared: readonly string[]): string {
  const names = namesOf(declared);
  return Object.entries(feature.properties ?? {})
    .filter(([key, value]) => !names.includes(key) && value !== null)
    .map(([key, value]) => `${key} ${valueWords(value)}`)
    .join(" · ");
}

export function metresWords(metres: number | undefined): string {
  if (metres === undefined) return "";
  return metres < 10_000
    ? `${countWords(Math.round(metres))} m`
    : `${countWords(Math.round(metres / 1_000))} km`;
}

export function featureLines(
  feature: GeoFeature,
  { width, nowMs }: { readonly width: number; readonly nowMs: number },
): StyledLine[] {
  const { id, geometry, properties, version, distance } = feature;
  const when = (at: string | undefined) =>
    at === undefined ? "" : `${distanceWords(at, nowMs)} · ${at}`;
  const own = Object.entries(properties ?? {}).map(([name, value]) => ({
    name,
    value: valueWords(value),
  }));
  const facts = [
    { name: "geometry", value: [geometryType(feature), positionWords(geometry)].join("  ").trim() },
    { name: "distance", value: metresWords(distance) },
    { name: "version", value: version === undefined ? "" : String(version) },
    { name: "changed", value: when(feature.updated_at ?? feature.created_at) },
    { name: "id", value: id },
  ];
  const shown = facts.filter(({ value }) => value !== "");
  const head: StyledLine = [{ text: "Its geometry as GeoJSON:", as: "quiet" }];
  return [
    ...fieldLines(own, width),
    ...(own.length === 0 ? [] : [[]]),
    ...fieldLines(shown, width),
    ...(geometry ? [[], head, ...jsonLines(geometry, width)] : []),
  ];
}
