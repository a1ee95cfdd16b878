import { idOf, type SourceFeature, type SourceOptions } from "./source.ts";
import { child, type Element } from "./element.ts";

/** Elements of GPX that become features. */
export const gpxRoots: ReadonlySet<string> = new Set(["wpt", "rte", "trk"]);

const geometryNames: ReadonlySet<string> = new Set([
  "ele",
  "rtept",
  "trkseg",
  "extensions",
  "link",
]);

/** A waypoint is a point, a route a line, and a track the lines of its segments. */
export function gpxFeature(element: Element, options: SourceOptions): SourceFeature {
  const properties = Object.fromEntries([
    ["gpx", element.name],
    ...element.children
      .filter(({ name, children }) => !geometryNames.has(name) && children.length === 0)
      .map(({ name, text }) => [name, text.trim()]),
  ]);
  const id = options.id === undefined ? undefined : idOf(properties[options.id]);
  return { id, geometry: geometryOf(element), properties };
}

function geometryOf(element: Element): object {
  if (element.name === "wpt") return { type: "Point", coordinates: positionOf(element) };
  const lineOf = (parent: Element, name: string) =>
    parent.children.filter((each) => each.name === name).map(positionOf);
  if (element.name === "rte") return { type: "LineString", coordinates: lineOf(element, "rtept") };
  // Receivers write a segment without positions where they had no signal.
  const segments = element.children
    .filter(({ name }) => name === "trkseg")
    .map((segment) => lineOf(segment, "trkpt"))
    .filter((segment) => segment.length > 0);
  return { type: "MultiLineString", coordinates: segments };
}

function positionOf(element: Element): number[] {
  const { lon = "", lat = "" } = element.attributes;
  const height = child(element, "ele")?.text.trim() ?? "";
  return [lon, lat, ...(height === "" ? [] : [height])].map((text) =>
    text.trim() === "" ? Number.NaN : Number(text),
  );
}
