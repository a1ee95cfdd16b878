import { wktToGeoJSON } from "betterknown";

/** Coordinate systems whose positions are those of WGS 84; 0 names none. */
const knownSystems: ReadonlySet<number> = new Set([0, 4326, 4979]);
const types = "MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION";
const untagged = new RegExp(String.raw`(${types})\s*(?=\()`, "gi");
const number = String.raw`[+-]?[\d.]+(?:e[+-]?\d+)?`;
const firstPosition = new RegExp(String.raw`^[(\s]*(${number}(?:\s+${number}){1,3})\s*[,)]`, "i");
const notValid = "has no valid WKT";

/**
 * The geometry of WKT, also with the system of EWKT; null for an empty one, and a text that says
 * why there is none. Heights are kept, measures are not, since GeoJSON has none.
 */
export function geometryOfWkt(given: string): object | string | null {
  const [, system, rest = ""] = /^\s*(?:SRID=(\d+)\s*;)?([^]*)$/i.exec(given) ?? [];
  if (system !== undefined && !knownSystems.has(Number(system))) {
    return `has the coordinate system ${system}: convert it to WGS 84 (4326) first`;
  }
  const text = rest.replaceAll(/\s+/g, " ").trim();
  if (text === "") return null;
  if (!isOneGeometry(text)) return notValid;
  const marked = withDimensions(text);
  try {
    const geometry: unknown = wktToGeoJSON(marked);
    if (typeof geometry !== "object") return notValid;
    return geometry !== null && /ZM/i.test(marked) ? withoutMeasures(geometry) : geometry;
  } catch {
    return notValid;
  }
}

/** The library ignores letters after a number, and all that follows the geometry. */
function isOneGeometry(text: string): boolean {
  if (/[^\w\s().,+-]|_|\d[a-df-z]|\d \.?[a-z]/i.test(text)) return false;
  if (/^[A-Z]+(?: ?(?:Z|M|ZM))? EMPTY$/i.test(text)) return true;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    if (depth < 0 || (depth === 0 && text[at] === ")" && at < text.length - 1)) return false;
  }
  return depth === 0 && text.endsWith(")");
}

/** Some programs, such as PostGIS, write three numbers without a Z. */
function withDimensions(text: string): string {
  return text.replaceAll(untagged, (found, type: string, at: number) => {
    const start = at + found.length;
    const numbers = firstPosition.exec(text.slice(start, start + 200))?.[1]?.split(" ").length;
    return `${type}${numbers === 3 ? " Z" : numbers === 4 ? " ZM" : ""} `;
  });
}

/** Positions of at most three numbers. */
function withoutMeasures(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    Array.isArray(member) && member.length === 4 && typeof member[0] === "number"
      ? member.slice(0, 3)
      : member,
  ) as object;
}
