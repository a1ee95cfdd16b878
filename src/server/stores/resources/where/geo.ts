import { byDialect, join, raw, statement, type Statement } from "../../database/statement.ts";
import type { Area, Near, Position } from "./condition.ts";
import type { JsonNode } from "./json-node.ts";
import { earthMetres } from "./parse-geo.ts";

/** Whether the node is a GeoJSON point within a distance: a box first, then the great circle. */
export function withinDistance(node: JsonNode, near: Near): Statement<boolean> {
  const { isInReach, isFarEnough } = reachOf(node, near);
  return statement<boolean>`(case when ${isInReach} then ${isFarEnough} else ${no} end)`;
}

/** How many metres the node's point is away; null where {@link withinDistance} does not hold. */
export function distanceTo(node: JsonNode, near: Near): Statement {
  const { isInReach, isFarEnough, metres } = reachOf(node, near);
  return statement`(case when ${isInReach} then case when ${isFarEnough} then ${metres} end end)`;
}

function reachOf(
  node: JsonNode,
  near: Near,
): { isInReach: Statement; isFarEnough: Statement; metres: Statement } {
  const { longitude, latitude, isPoint } = pointOf(node);
  const [centerLongitude, centerLatitude] = near.center;
  const degrees = (near.maximumMetres / earthMetres) * (180 / Math.PI);
  const south = number(centerLatitude - degrees - slack);
  const north = number(centerLatitude + degrees + slack);
  const haversine = statement`${square(
    statement`sin(radians(${latitude} - ${number(centerLatitude)}) / 2)`,
  )} + cos(radians(${latitude})) * cos(radians(${number(centerLatitude)})) * ${square(
    statement`sin(radians(${longitude} - ${number(centerLongitude)}) / 2)`,
  )}`;
  // Rounding may lead a hair beyond 1, where there is no arc sine.
  const metres = byDialect({
    sqlite: statement`${2 * earthMetres} * asin(min(1.0, sqrt(${haversine})))`,
    postgresql: statement`${2 * earthMetres}::float8 * asin(least(1.0::float8, sqrt(${haversine})))`,
  });
  return {
    isInReach: statement`${isPoint} and ${latitude} between ${south} and ${north}`,
    isFarEnough: statement`${metres} between ${number(near.minimumMetres)}
      and ${number(near.maximumMetres)}`,
    metres,
  };
}

/** Whether the node is a GeoJSON point in an area; boxes and polygons are flat, as on a map. */
export function withinArea(node: JsonNode, area: Area): Statement<boolean> {
  if (area.kind === "circle") return withinDistance(node, area.near);
  const { longitude, latitude, isPoint } = pointOf(node);
  if (area.kind === "box") {
    const { southWest, northEast } = area;
    const [west, east] = [number(southWest[0]), number(northEast[0])];
    const isBetween =
      southWest[0] <= northEast[0]
        ? statement`${longitude} between ${west} and ${east}`
        : statement`(${longitude} >= ${west} or ${longitude} <= ${east})`;
    return statement<boolean>`(case when ${isPoint} then ${isBetween}
      and ${latitude} between ${number(southWest[1])} and ${number(northEast[1])} else ${no} end)`;
  }
  // A ray from the point crosses the border an odd number of times when the point is inside.
  const crossings = area.ring.map((position, index) =>
    crosses(longitude, latitude, position, area.ring[(index + 1) % area.ring.length] ?? position),
  );
  return statement<boolean>`(case when ${isPoint}
    then (${join(crossings, " + ")}) % 2 = 1 else ${no} end)`;
}

/** Degrees added to the box, so that rounding never cuts a point off. */
const slack = 1e-6;
const no = byDialect({ sqlite: raw("0"), postgresql: raw("false") });

function pointOf(node: JsonNode): {
  longitude: Statement;
  latitude: Statement;
  isPoint: Statement<boolean>;
} {
  const longitude = node.member("coordinates").at(0);
  const latitude = node.member("coordinates").at(1);
  return {
    longitude: longitude.asNumber(),
    latitude: latitude.asNumber(),
    isPoint: statement<boolean>`(${node.member("type").equalsText("Point")}
      and ${longitude.is("number")} and ${latitude.is("number")})`,
  };
}

function crosses(
  longitude: Statement,
  latitude: Statement,
  [x1, y1]: Position,
  [x2, y2]: Position,
): Statement {
  // A level edge is never crossed, and its slope would divide by zero.
  if (y1 === y2) return raw("0");
  const slope = (x2 - x1) / (y2 - y1);
  return statement`(case when (${latitude} < ${number(y1)}) <> (${latitude} < ${number(y2)})
    and ${longitude} < ${number(x1)} + (${latitude} - ${number(y1)}) * ${number(slope)}
    then 1 else 0 end)`;
}

function square(value: Statement): Statement {
  return statement`(${value} * ${value})`;
}

function number(value: number): Statement {
  return byDialect({ sqlite: statement`${value}`, postgresql: statement`${value}::float8` });
}
