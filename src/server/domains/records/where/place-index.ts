import { boxesAround } from "../../../kit/geometry/distance.ts";
import type { Box } from "#lib/geometry/geometry.ts";
import { byDialect, join, statement, type Statement } from "../../../database/statement.ts";
import type { Area, FieldTest, Position } from "../../../database/where/condition.ts";
import type { FieldSource } from "../../../fields/path-fields.ts";

/** Degrees added to a box, so that rounding never excludes a place. */
const slack = 1e-6;
/** More boxes than this become one around them. */
const mostBoxes = 20;
/** A `$near` of a larger reach finds most places, which an index does not speed up. */
export const farthestMetres = 5_000_000;

/**
 * The records of which a place is near those that pass a test, by the index of places; undefined
 * for a test of something else, or without a bound. The exact test must follow.
 */
export function isNearTest(source: FieldSource, test: FieldTest): Statement<boolean> | undefined {
  const near = numbersNear(source, test);
  return (
    near &&
    byDialect<boolean>({
      sqlite: statement`resources.record_number in (${near})`,
      postgresql: isOneOfIds(near, test),
    })
  );
}

/**
 * The test of a geometry takes 0.1 ms: as a join, PostgreSQL may test all records once for each of
 * those that are near. A list of ids is read before; but a join lets it end with a page of points.
 */
function isOneOfIds(near: Statement, test: FieldTest): Statement<boolean> {
  const ofGeometries = (test.kind === "near" || test.kind === "within") && test.values;
  return ofGeometries === "geometries"
    ? statement<boolean>`resources.id = any (array(${near}))`
    : statement<boolean>`resources.id in (${near})`;
}

/** The rows of the index of places for a test: numbers of records, or their ids on PostgreSQL. */
export function numbersNear(
  { workspaceId, number }: FieldSource,
  test: FieldTest,
): Statement | undefined {
  const boxes = boxesOfTest(test);
  if (workspaceId === undefined || number === undefined || boxes === undefined) return undefined;
  const found = limited(boxes).map((box) => {
    const [west, south, east, north] = box;
    return byDialect({
      sqlite: statement`select number from record_boxes where west <= ${east} and east >= ${west}
        and south <= ${north} and north >= ${south} and type <= ${number} and type_end >= ${number}`,
      postgresql: statement`select id from placed_records where workspace_id = ${workspaceId}
        and type_number = ${number} and ${meetsBox(box, shiftOf(number))}`,
    });
  });
  return join(found, " union ");
}

/** Metres by which a record must be nearer to be left out, so that rounding never excludes one. */
const passedSlackMetres = 1;

/**
 * PostgreSQL: the ids of the index of places for a test of nearness, without records of one point
 * that are nearer than `passedMetres`. Only the index of boxes can serve it.
 */
export function idsNear(
  { workspaceId, number }: FieldSource,
  test: FieldTest & { readonly kind: "near" },
  passedMetres: number,
): Statement | undefined {
  const boxes = boxesOfTest(test);
  if (workspaceId === undefined || number === undefined || boxes === undefined) return undefined;
  const [x, y] = test.near.center;
  const shift = shiftOf(number);
  const metres = passedMetres - passedSlackMetres;
  const found = limited(boxes).map(
    (box) => statement`select id from placed_records where ${meetsBox(box, shift)}
      and (workspace_id = ${workspaceId}) is true and (type_number = ${number}) is true
      and (place[0] ~= place[1] and svc_metres_between(${x}::float8, ${y}::float8,
        (place[0])[0] - ${shift}::float8, (place[0])[1]) < ${metres}::float8) is not true`,
  );
  return join(found, " union ");
}

/** The degrees by which the boxes of a type are moved east on PostgreSQL. */
function shiftOf(number: number): number {
  return (number % 65_536) * 1_000;
}

function meetsBox([west, south, east, north]: Box, shift: number): Statement {
  return statement`place && box(point(${west + shift}::float8, ${south}::float8),
    point(${east + shift}::float8, ${north}::float8))`;
}

function boxesOfTest(test: FieldTest): readonly Box[] | undefined {
  if (test.kind === "near") {
    const { center, maximumMetres } = test.near;
    return maximumMetres > farthestMetres ? undefined : boxesAround(center, maximumMetres);
  }
  return test.kind === "within" ? boxesOfArea(test.area) : undefined;
}

function boxesOfArea(area: Area): readonly Box[] | undefined {
  switch (area.kind) {
    case "circle":
      return boxesOfTest({ kind: "near", near: area.near });
    case "flat-circle": {
      const [x, y] = area.center;
      const { degrees } = area;
      return [[x - degrees - slack, y - degrees - slack, x + degrees + slack, y + degrees + slack]];
    }
    case "box": {
      const [[west, south], [east, north]] = [area.southWest, area.northEast];
      if (west <= east) return [[west, south, east, north]];
      return [
        [west, south, 180, north],
        [-180, south, east, north],
      ];
    }
    case "polygon":
      return boxesOfLine(area.ring);
    case "points":
      return area.positions.flatMap((each) => boxesOfLine([each]));
    case "lines":
      return area.lines.flatMap(boxesOfLine);
    case "with-holes":
      return boxesOfArea(area.area);
    case "any": {
      const all = area.areas.map(boxesOfArea);
      return all.some((boxes) => boxes === undefined)
        ? undefined
        : all.flatMap((each) => each ?? []);
    }
  }
}

/** The box of a line that may go on after 180 degrees, and the same place on the other side. */
function boxesOfLine(line: readonly Position[]): Box[] {
  const [xs, ys] = [line.map(([x]) => x), line.map(([, y]) => y)];
  const [west, east] = [Math.min(...xs) - slack, Math.max(...xs) + slack];
  const [south, north] = [Math.min(...ys) - slack, Math.max(...ys) + slack];
  const turns = [0, ...(east > 180 ? [-360] : []), ...(west < -180 ? [360] : [])];
  return turns.map((turn): Box => [west + turn, south, east + turn, north]);
}

function limited(boxes: readonly Box[]): readonly Box[] {
  if (boxes.length <= mostBoxes) return boxes;
  const side = (at: 0 | 1 | 2 | 3): number[] => boxes.map((box) => box[at]);
  return [[Math.min(...side(0)), Math.min(...side(1)), Math.max(...side(2)), Math.max(...side(3))]];
}
