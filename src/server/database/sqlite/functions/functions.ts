import type { Database } from "bun:sqlite";
import { compilePattern } from "#lib/pattern.ts";
import { isInside, sidesOf, type Corner, type Side } from "../../where/polygon.ts";
import { earthRadiusMetres, metresBetween, metresTo } from "../../../kit/geometry/distance.ts";
import { partsOf, type Geometry, type Position } from "#lib/geometry/geometry.ts";
import { PreparedGeometry } from "../../../kit/geometry/predicates.ts";
import { readGeometry } from "#lib/geometry/read-geometry.ts";
import { atOnce } from "#lib/time/stepwise.ts";
import type { PlacedOperand } from "../../where/placed-operand.ts";
import { earthMetres } from "../../where/parse-geo.ts";

/** Distances are those of the sphere that MongoDB has. */
const stretch = earthMetres / earthRadiusMetres;

/**
 * Adds `geometry_passes(geometry, operand)`, which is 1 or 0, and `geometry_metres(geometry, x,
 * y)`, the distance from a position, or null. JSON that is not a geometry gives 0 and null. The
 * functions `svc_geometry_passes` and `svc_geometry_metres` are the same on PostgreSQL.
 */
function addGeometryFunctions(database: Database, throwIfStopped: () => void): void {
  const testOf = lastTest();
  database.function(
    "geometry_passes",
    { deterministic: true },
    (geometry: unknown, operand: unknown) => {
      throwIfStopped();
      const read = geometryIn(geometry);
      return read !== undefined && typeof operand === "string" ? Number(testOf(operand)(read)) : 0;
    },
  );
  database.function(
    "geometry_metres",
    { deterministic: true },
    (geometry: unknown, x: unknown, y: unknown) => {
      throwIfStopped();
      const read = geometryIn(geometry);
      const metres = read === undefined ? Infinity : metresTo([Number(x), Number(y)], read);
      return Number.isFinite(metres) ? metres * stretch : null;
    },
  );
}

function geometryIn(text: unknown): Geometry | undefined {
  if (typeof text !== "string") return undefined;
  const reading = readGeometry(JSON.parse(text), { keep: true });
  return reading.faults === undefined ? (reading.geometry ?? undefined) : undefined;
}

type Test = (geometry: Geometry) => boolean;

/** Keeps the last operand: one query asks for one, row after row. */
function lastTest(): (operand: string) => Test {
  let text = "";
  let test: Test = () => false;
  return (operand) => {
    if (operand !== text) {
      test = testOf(JSON.parse(operand) as PlacedOperand);
      text = operand;
    }
    return test;
  };
}

function testOf(operand: PlacedOperand): Test {
  if (operand.relation === "circle") {
    const { center, metres } = operand;
    return everyPosition((each) => metresBetween(center, each) * stretch <= metres);
  }
  if (operand.relation === "flat-circle") {
    const [x, y] = operand.center;
    return everyPosition(
      ([x1 = 0, y1 = 0]) => (x1 - x) * (x1 - x) + (y1 - y) * (y1 - y) <= operand.degrees ** 2,
    );
  }
  // Geometries of records and of filters have a bounded size.
  const prepared = PreparedGeometry.of(operand.geometry, Infinity);
  return operand.relation === "within"
    ? (geometry) => atOnce(prepared.contains(geometry))
    : (geometry) => atOnce(prepared.intersects(geometry));
}

function everyPosition(passes: (position: Position) => boolean): Test {
  return (geometry) => {
    const { points, lines, polygons } = partsOf(geometry);
    return [points, ...lines, ...polygons.flat()].every((each) => each.every(passes));
  };
}

/**
 * Adds the SQL functions of every connection. `pattern_matches(text, pattern, flags)` is 1 or 0,
 * with a pattern that `compilePattern` accepts. `fail_if_stopped()` is 1. Both end their statement
 * when `throwIfStopped` throws. `ring_contains(x, y, ring)` is 1 or 0.
 */
export function addFunctions(database: Database, throwIfStopped: () => void): void {
  // SQLite calls a function for each row only if it is not deterministic.
  database.function("fail_if_stopped", { deterministic: false }, () => {
    throwIfStopped();
    return 1;
  });
  database.function(
    "pattern_matches",
    { deterministic: true },
    (text: unknown, pattern: unknown, flags: unknown) => {
      // One long text may take as long as a thousand rows.
      throwIfStopped();
      if (typeof text !== "string" || typeof pattern !== "string") return 0;
      return compilePattern(pattern, typeof flags === "string" ? flags : "").test(text) ? 1 : 0;
    },
  );
  addGeometryFunctions(database, throwIfStopped);
  const sides = ringSides();
  database.function(
    "ring_contains",
    { deterministic: true },
    (x: unknown, y: unknown, ring: unknown) =>
      isNumber(x) && isNumber(y) && typeof ring === "string"
        ? Number(isInside(sides(ring), Number(x), Number(y)))
        : 0,
  );
}

/** Keeps the sides of the last ring: one query asks for one ring, row after row. */
function ringSides(): (ring: string) => readonly Side[] {
  let text = "";
  let sides: readonly Side[] = [];
  return (ring) => {
    if (ring !== text) {
      sides = sidesOf(JSON.parse(ring) as Corner[]);
      text = ring;
    }
    return sides;
  };
}

/** SQLite passes integers as bigint. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
