import { boxesAround, distanceTo } from "../../../kit/geometry/distance.ts";
import {
  boxesMeet,
  boxPolygon,
  flatBoxes,
  type Box,
  type Geometry,
  type Position,
} from "#lib/geometry/geometry.ts";
import { CrowdedEdgesError } from "#lib/geometry/edges.ts";
import { PreparedGeometry } from "../../../kit/geometry/predicates.ts";
import { geometryReading } from "#lib/geometry/read-geometry.ts";
import { given } from "#lib/given.ts";
import type { Stepwise } from "#lib/time/stepwise.ts";
import { faultAt, invalid, type Place } from "../../../kit/faults.ts";
import { boxOfRow } from "./dataset-store.ts";
import type { FeatureRecord } from "./feature-store.ts";

/** The conditions of a search in space; a feature must meet all of them. */
export interface SpatialQuery {
  readonly bbox?: Box | undefined;
  readonly near?: { readonly position: Position; readonly metres: number } | undefined;
  readonly within?: unknown;
  readonly intersects?: unknown;
}

/** A feature that was tested, with its distance where the search has a position. */
export interface Tested {
  readonly row: FeatureRecord;
  readonly distance?: number;
}

/** The exact test of a search in space. */
export class SpatialTest {
  /** Boxes that a matching feature meets, one of them at least; none for no condition. */
  readonly boxes: readonly Box[] | undefined;
  readonly #query: SpatialQuery;
  readonly #bbox: readonly { readonly box: Box; readonly area: PreparedGeometry }[] | undefined;
  readonly #within: PreparedGeometry | undefined;
  readonly #intersects: PreparedGeometry | undefined;

  private constructor(
    query: SpatialQuery,
    private readonly place: Place,
    prepared: { readonly within?: PreparedGeometry; readonly intersects?: PreparedGeometry } = {},
  ) {
    const { bbox, near } = query;
    this.#query = query;
    this.#bbox = bbox && boxesOf(bbox, place).map(areaOfBox);
    this.#within = prepared.within;
    this.#intersects = prepared.intersects;
    const all = [
      this.#bbox?.map(({ box }) => box),
      near && boxesAround(near.position, near.metres),
      this.#within && (this.#within.box === undefined ? [] : [this.#within.box]),
      this.#intersects && (this.#intersects.box === undefined ? [] : [this.#intersects.box]),
    ].filter((boxes) => boxes !== undefined);
    this.boxes =
      all.length === 0 ? undefined : all.reduce<readonly Box[]>(commonBoxes, all[0] ?? []);
  }

  /** A test with boxes and positions only. Refuses 422 for a box beyond the earth. */
  static of(query: Omit<SpatialQuery, "within" | "intersects">, place: Place): SpatialTest {
    return new SpatialTest(query, place);
  }

  /** A test with geometries, which takes milliseconds to prepare. Refuses 422 for their faults. */
  static *inParts(query: SpatialQuery, place: Place): Stepwise<SpatialTest> {
    const { within, intersects } = query;
    if (within !== undefined) requireArea(within);
    return new SpatialTest(
      query,
      place,
      given({
        within: within === undefined ? undefined : yield* prepared(within, "within"),
        intersects:
          intersects === undefined ? undefined : yield* prepared(intersects, "intersects"),
      }),
    );
  }

  /** The feature if it meets all conditions; 422 for more comparisons than a test may have. */
  *test(row: FeatureRecord): Stepwise<Tested | undefined> {
    try {
      return yield* this.#tested(row);
    } catch (error) {
      if (!(error instanceof CrowdedEdgesError)) throw error;
      const names = ["within", "intersects"] as const;
      const name = names.find((each) => this.#query[each] !== undefined) ?? "bbox";
      const words = "has too many positions to be compared with the feature";
      const detail = `${words} "${row.id}": simplify it`;
      throw invalid([faultAt(this.place, [name], detail)]);
    }
  }

  *#tested(row: FeatureRecord): Stepwise<Tested | undefined> {
    if (this.boxes === undefined) return { row };
    const box = boxOfRow(row);
    if (box === undefined || row.geometry === null) return undefined;
    let read: Geometry | undefined;
    // The store has checked the geometry before it wrote it.
    const geometry = (): Geometry => (read ??= JSON.parse(row.geometry ?? "null") as Geometry);
    if (!(yield* this.#isInBox(box, geometry))) return undefined;
    if (this.#intersects && !(yield* this.#intersects.intersects(geometry()))) return undefined;
    if (this.#within && !(yield* this.#within.contains(geometry()))) return undefined;
    const { near } = this.#query;
    if (near === undefined) return { row };
    const distance = yield* distanceTo(near.position, geometry());
    return distance <= near.metres ? { row, distance } : undefined;
  }

  *#isInBox(box: Box, geometry: () => Geometry): Stepwise<boolean> {
    if (this.#bbox === undefined) return true;
    for (const each of this.#bbox) {
      if (isBoxIn(box, each.box)) return true;
      if (boxesMeet(box, each.box) && (yield* each.area.intersects(geometry()))) return true;
    }
    return false;
  }
}

function isBoxIn(inner: Box, outer: Box): boolean {
  return (
    inner[0] >= outer[0] && inner[2] <= outer[2] && inner[1] >= outer[1] && inner[3] <= outer[3]
  );
}

/** The parts that two lists of boxes have in common. */
function commonBoxes(some: readonly Box[], others: readonly Box[]): readonly Box[] {
  return some.flatMap((one) =>
    others
      .filter((other) => boxesMeet(one, other))
      .map((other): Box => [
        Math.max(one[0], other[0]),
        Math.max(one[1], other[1]),
        Math.min(one[2], other[2]),
        Math.min(one[3], other[3]),
      ]),
  );
}

function boxesOf(box: Box, place: Place): Box[] {
  const [west, south, east, north] = box;
  const isOnEarth =
    [west, east].every((degrees) => Math.abs(degrees) <= 180) &&
    [south, north].every((degrees) => Math.abs(degrees) <= 90);
  if (isOnEarth && south <= north) return flatBoxes(box);
  const detail = "must be west,south,east,north in degrees, with south not above north";
  throw invalid([faultAt(place, ["bbox"], detail)]);
}

function areaOfBox(box: Box) {
  const geometry: Geometry = { type: "Polygon", coordinates: boxPolygon(box) };
  return { box, area: PreparedGeometry.of(geometry) };
}

function requireArea(value: unknown): void {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : "";
  if (type === "Polygon" || type === "MultiPolygon") return;
  throw invalid([faultAt("body", ["within", "type"], "must be Polygon or MultiPolygon")]);
}

function* prepared(value: unknown, name: string): Stepwise<PreparedGeometry> {
  const reading = yield* geometryReading(value);
  if (reading.faults === undefined) {
    const { geometry } = reading;
    return yield* PreparedGeometry.inParts(geometry ?? { type: "MultiPoint", coordinates: [] });
  }
  throw invalid(reading.faults.map(({ path, detail }) => faultAt("body", [name, ...path], detail)));
}

/** The box of a text `west,south,east,north`, also with heights between. */
export function boxOfText(text: string): Box {
  const numbers = text.split(",").map(Number);
  const [west = Number.NaN, south = Number.NaN, third = Number.NaN] = numbers;
  if (numbers.length === 6) return [west, south, numbers[3] ?? 0, numbers[4] ?? 0];
  return [west, south, third, numbers[3] ?? Number.NaN];
}

/** The position and the distance of a text `longitude,latitude,metres`; refuses 422. */
export function nearOfText(text: string): NonNullable<SpatialQuery["near"]> {
  const [longitude = 0, latitude = 0, metres = 0] = text.split(",").map(Number);
  const isOnEarth = Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
  if (isOnEarth && metres <= 20_100_000) return { position: [longitude, latitude], metres };
  const detail = "must be longitude,latitude,metres: degrees, and at most 20,100,000 metres";
  throw invalid([faultAt("query", ["near"], detail)]);
}
