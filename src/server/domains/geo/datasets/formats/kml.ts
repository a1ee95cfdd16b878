import { idOf, type SourceFeature, type SourceOptions } from "./source.ts";
import { child, type Element } from "./element.ts";

/** Elements of KML that become features. */
export const kmlRoots: ReadonlySet<string> = new Set(["Placemark"]);

const geometryNames: ReadonlySet<string> = new Set([
  "Point",
  "LineString",
  "LinearRing",
  "Polygon",
  "MultiGeometry",
]);
const shownNames = ["name", "description", "address", "phoneNumber", "styleUrl", "visibility"];

/** A Placemark with its texts and its ExtendedData as properties. */
export function kmlFeature(element: Element, options: SourceOptions): SourceFeature {
  const properties = Object.fromEntries([
    ...shownNames.flatMap((name) => {
      const text = child(element, name)?.text.trim();
      return text === undefined ? [] : [[name, text]];
    }),
    ...extendedData(child(element, "ExtendedData")),
  ]);
  const own = options.id === undefined ? element.attributes["id"] : properties[options.id];
  const placed = element.children.find(({ name }) => geometryNames.has(name));
  const geometry = placed === undefined ? null : geometryOf(placed);
  return { id: idOf(own), geometry, properties };
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

function geometryOf(element: Element): object {
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
      return {
        type: "GeometryCollection",
        geometries: element.children.filter(({ name }) => geometryNames.has(name)).map(geometryOf),
      };
    default:
      return { type: "LineString", coordinates: positionsOf(element) };
  }
}

function positionsOf(element: Element): number[][] {
  const text = child(element, "coordinates")?.text.trim() ?? "";
  if (text === "") return [];
  return text
    .split(/\s+/)
    .map((position) =>
      position.split(",").map((part) => (part === "" ? Number.NaN : Number(part))),
    );
}
