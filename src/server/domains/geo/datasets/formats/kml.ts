import { idOf, type SourceFeature, type SourceOptions } from "./source.ts";
import { child, type Element } from "./element.ts";

/** Elements of KML that become features. */
export const kmlRoots: ReadonlySet<string> = new Set(["Placemark"]);

/** `Track` and `MultiTrack` are Google's extension; a `Model` lies at a point. */
const geometryNames: ReadonlySet<string> = new Set(
  "Point LineString LinearRing Polygon MultiGeometry Track MultiTrack Model".split(" "),
);
const collected: ReadonlyMap<unknown, string> = new Map([
  ["Point", "MultiPoint"],
  ["LineString", "MultiLineString"],
  ["Polygon", "MultiPolygon"],
]);
const shownNames = ["name", "description", "address", "phoneNumber", "styleUrl", "visibility"];

/** A Placemark with its texts, its times and its ExtendedData as properties. */
export function kmlFeature(element: Element, options: SourceOptions): SourceFeature {
  const properties = Object.fromEntries([
    ...shownNames.flatMap((name) => {
      const text = child(element, name)?.text.trim();
      return text === undefined ? [] : [[name, text]];
    }),
    ...timesOf(element),
    ...extendedData(child(element, "ExtendedData")),
  ]);
  const own = options.id === undefined ? element.attributes["id"] : properties[options.id];
  const placed = element.children.find(({ name }) => geometryNames.has(name));
  const geometry = placed === undefined ? null : geometryOf(placed);
  return { id: idOf(own), geometry, properties };
}

/** The members of TimeStamp and TimeSpan: `when`, or `begin` and `end`. */
function timesOf(element: Element): (readonly [string, string])[] {
  return element.children
    .filter(({ name }) => name === "TimeStamp" || name === "TimeSpan")
    .flatMap(({ children }) => children.map(({ name, text }) => [name, text.trim()] as const));
}

function extendedData(element: Element | undefined): (readonly [string, string])[] {
  return (element?.children ?? []).flatMap((each) => {
    if (each.name === "Data") {
      const value = child(each, "value")?.text.trim() ?? "";
      return [[each.attributes["name"] ?? "", value] as const];
    }
    return each.children
      .filter(({ name }) => name === "SimpleData")
      .map(({ attributes, text }) => [attributes["name"] ?? "", text.trim()] as const);
  });
}

type Made = Readonly<Record<string, unknown>>;

function geometryOf(element: Element): Made {
  switch (element.name) {
    case "Point":
      return { type: "Point", coordinates: positionsOf(element)[0] ?? [] };
    case "Polygon":
      return {
        type: "Polygon",
        coordinates: [
          ...element.children.filter(({ name }) => name === "outerBoundaryIs"),
          ...element.children.filter(({ name }) => name === "innerBoundaryIs"),
        ].flatMap(({ children }) => children.map(positionsOf)),
      };
    case "MultiGeometry":
      return collectionOf(element);
    case "Track":
      return { type: "LineString", coordinates: trackPositions(element) };
    case "MultiTrack":
      return {
        type: "MultiLineString",
        coordinates: element.children.filter(({ name }) => name === "Track").map(trackPositions),
      };
    case "Model":
      return { type: "Point", coordinates: locationOf(element) };
    default:
      return { type: "LineString", coordinates: positionsOf(element) };
  }
}

/** Geometries of one kind are one geometry of many parts, as in GeoJSON. */
function collectionOf(element: Element): Made {
  const geometries = element.children.filter(({ name }) => geometryNames.has(name)).map(geometryOf);
  const [first] = geometries;
  const type = collected.get(first?.["type"]);
  const isOneKind = geometries.every((each) => each["type"] === first?.["type"]);
  return type !== undefined && isOneKind
    ? { type, coordinates: geometries.map(({ coordinates }) => coordinates) }
    : { type: "GeometryCollection", geometries };
}

/** Positions of a track are separated by blanks; one that is empty was not measured. */
function trackPositions(element: Element): number[][] {
  return element.children
    .filter(({ name, text }) => name === "coord" && text.trim() !== "")
    .map(({ text }) => text.trim().split(/\s+/).map(Number));
}

function locationOf(element: Element): number[] {
  const location = child(element, "Location");
  return ["longitude", "latitude", "altitude"].flatMap((name) => {
    const text = location === undefined ? undefined : child(location, name)?.text.trim();
    return text === undefined || text === "" ? [] : [Number(text)];
  });
}

function positionsOf(element: Element): number[][] {
  const text = child(element, "coordinates")?.text.trim() ?? "";
  if (text === "") return [];
  // Some programs write a blank after each comma.
  return text
    .replaceAll(/\s*,\s*/g, ",")
    .split(/\s+/)
    .map((position) =>
      position.split(",").map((part) => (part === "" ? Number.NaN : Number(part))),
    );
}
