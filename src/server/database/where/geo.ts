import { sidesOf } from "./polygon.ts";
import { byDialect, join, raw, statement, type Statement } from "../statement.ts";
import type { Area, Near, PlacedValues, Position, WithinTest } from "./condition.ts";
import type { JsonNode } from "./json-node.ts";
import { earthMetres } from "./parse-geo.ts";
import { operandOf } from "./placed-operand.ts";

/** True if the node is within a distance: for a point, a box comes first. */
export function withinDistance(
  node: JsonNode,
  near: Near,
  values: PlacedValues = "points",
): Statement<boolean> {
  if (values === "geometries") {
    return statement<boolean>`((${geometryMetres(node, near)} ${between(near)}) is true)`;
  }
  const { isInReach, isFarEnough } = reachOf(node, near);
  return statement<boolean>`(case when ${isInReach} then ${isFarEnough} else ${no} end)`;
}

/** Metres to the nearest point of the node; null where {@link withinDistance} does not hold. */
export function distanceTo(node: JsonNode, near: Near, values: PlacedValues = "points"): Statement {
  if (values === "geometries") {
    const metres = geometryMetres(node, near);
    return statement`(case when ${metres} ${between(near)} then ${metres} end)`;
  }
  const { isInReach, isFarEnough, metres } = reachOf(node, near);
  return statement`(case when ${isInReach} then case when ${isFarEnough} then ${metres} end end)`;
}

function geometryMetres(node: JsonNode, { center: [x, y] }: Near): Statement {
  return byDialect({
    sqlite: statement`geometry_metres(${node.asJson()}, ${x}, ${y})`,
    postgresql: statement`svc_geometry_metres(${node.asJson()}, ${x}::float8, ${y}::float8)`,
  });
}

function between({ minimumMetres, maximumMetres }: Near): Statement {
  return statement`between ${number(minimumMetres)} and ${number(maximumMetres)}`;
}

/** True if the node is a geometry that passes; JSON that is not one never does. */
function geometryPasses(node: JsonNode, test: WithinTest): Statement<boolean> {
  const operand = JSON.stringify(operandOf(test));
  return byDialect<boolean>({
    sqlite: statement`(geometry_passes(${node.asJson()}, ${operand}) = 1)`,
    postgresql: statement`(svc_geometry_passes(${node.asJson()}, ${operand}::text::jsonb) is true)`,
  });
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
  // Rounding may exceed 1, which has no arc sine.
  const metres = byDialect({
    sqlite: statement`${2 * earthMetres} * asin(min(1.0, sqrt(${haversine})))`,
    postgresql: statement`${2 * earthMetres}::float8 * asin(least(1.0::float8, sqrt(${haversine})))`,
  });
  return {
    isInReach: statement`${isPoint} and ${latitude} between ${south} and ${north}`,
    isFarEnough: statement`${metres} ${between(near)}`,
    metres,
  };
}

/** True if the node is in an area; boxes and polygons are flat, as on a map. */
export function withinArea(node: JsonNode, test: WithinTest): Statement<boolean> {
  const { area, values = "points" } = test;
  if (values === "geometries" || area.kind === "lines") return geometryPasses(node, test);
  if (area.kind === "circle") return withinDistance(node, area.near);
  const inPart = (part: Area): Statement<boolean> => withinArea(node, { ...test, area: part });
  if (area.kind === "any") {
    return statement<boolean>`(${join(area.areas.map(inPart), " or ")})`;
  }
  if (area.kind === "with-holes") {
    const holes = area.holes.map((each) => statement`not ${inPart(each)}`);
    return statement<boolean>`(${join([inPart(area.area), ...holes], " and ")})`;
  }
  const { longitude, latitude, isPoint } = pointOf(node);
  if (area.kind === "points") {
    const isSame = area.positions.map(
      ([x, y]) => statement`(${longitude} = ${number(x)} and ${latitude} = ${number(y)})`,
    );
    const isOne = join(isSame, " or ");
    return statement<boolean>`(case when ${isPoint} then (${isOne}) else ${no} end)`;
  }
  if (area.kind === "flat-circle") {
    const [x, y] = area.center;
    const distance = sum([
      square(statement`(${longitude} - ${number(x)})`),
      square(statement`(${latitude} - ${number(y)})`),
    ]);
    const isIn = statement`${distance} <= ${number(area.degrees ** 2)}`;
    return statement<boolean>`(case when ${isPoint} then ${isIn} else ${no} end)`;
  }
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
  const bounds = (axis: 0 | 1): Statement => {
    const all = area.ring.map((position) => position[axis]);
    return statement`${number(Math.min(...all))} and ${number(Math.max(...all))}`;
  };
  const onRing = turnedEast(longitude, area.ring);
  return statement<boolean>`(case when ${isPoint} and ${onRing} between ${bounds(0)}
    and ${latitude} between ${bounds(1)} then ${isInRing(onRing, latitude, area.ring)}
    else ${no} end)`;
}

/** The longitude by which a ring across the antimeridian counts a point west of its west end. */
function turnedEast(longitude: Statement, ring: readonly Position[]): Statement {
  const longitudes = ring.map((position) => position[0]);
  if (Math.max(...longitudes) <= 180) return longitude;
  const west = number(Math.min(...longitudes));
  return statement`(case when ${longitude} < ${west} then ${longitude} + ${number(360)}
    else ${longitude} end)`;
}

/** Does what `isInside` of polygon.ts does for SQLite; PostgreSQL counts the crossings in SQL. */
function isInRing(
  longitude: Statement,
  latitude: Statement,
  ring: readonly Position[],
): Statement<boolean> {
  const sides = sidesOf(ring);
  const crossings = sides.map(
    ({ y1, y2, x1, slope }) => statement`(case when (place.y < ${number(y1)}) <>
      (place.y < ${number(y2)}) and place.x < ${number(x1)} + (place.y - ${number(y1)})
      * ${number(slope)} then 1 else 0 end)`,
  );
  return byDialect<boolean>({
    sqlite: statement`(ring_contains(${longitude}, ${latitude}, ${JSON.stringify(ring)}) = 1)`,
    // `offset 0` keeps PostgreSQL from reading the JSON again for each side.
    postgresql: statement`(select (${sum(crossings)}) % 2 = 1
      from (select ${longitude} as x, ${latitude} as y offset 0) as place)`,
  });
}

/** Added in halves: a thousand nested additions would exceed the parser's stack. */
function sum(terms: readonly Statement[]): Statement {
  const [first = raw("0")] = terms;
  if (terms.length <= 1) return first;
  const middle = Math.ceil(terms.length / 2);
  return statement`(${sum(terms.slice(0, middle))} + ${sum(terms.slice(middle))})`;
}

/** Degrees added to the box, so that rounding never excludes a point. */
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

function square(value: Statement): Statement {
  return statement`(${value} * ${value})`;
}

function number(value: number): Statement {
  return byDialect({ sqlite: statement`${value}`, postgresql: statement`${value}::float8` });
}
