/** A fault of a geometry, with the way to its place in the geometry. */
export interface GeometryFault {
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

type Path = GeometryFault["path"];

/** Faults that one geometry has at most; the check then ends. */
const faultsAtMost = 10;
const deepestCollection = 8;
const positionsAtMost = 2_000_000;

/** The levels of lists around a position, and the least number of positions in the inner one. */
const shapes: ReadonlyMap<string, { readonly depth: number; readonly least: number }> = new Map([
  ["Point", { depth: 0, least: 1 }],
  ["MultiPoint", { depth: 1, least: 1 }],
  ["LineString", { depth: 1, least: 2 }],
  ["MultiLineString", { depth: 2, least: 2 }],
  ["Polygon", { depth: 2, least: 4 }],
  ["MultiPolygon", { depth: 3, least: 4 }],
]);
const nouns = ["position", "list of positions", "list of lists of positions", "list of polygons"];

/**
 * Checks the members of a geometry: its type, the levels of its coordinates, their number and their
 * range (RFC 7946, part 3.1). With `isRepairable`, it accepts faults that a repair mends.
 */
export class ShapeCheck {
  readonly faults: GeometryFault[] = [];
  #positions = 0;

  constructor(private readonly isRepairable: boolean) {}

  geometry(value: unknown, path: Path, depth = 1): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.#fault(path, "must be a geometry of GeoJSON");
    }
    const type: unknown = "type" in value ? value.type : undefined;
    if (type === "GeometryCollection") {
      return this.#collection("geometries" in value ? value.geometries : undefined, path, depth);
    }
    const shape = typeof type === "string" ? shapes.get(type) : undefined;
    if (shape === undefined) {
      const known = [...shapes.keys(), "GeometryCollection"].join(", ");
      return this.#fault([...path, "type"], `must be one of ${known}`);
    }
    const coordinates: unknown = "coordinates" in value ? value.coordinates : undefined;
    this.#list(coordinates, shape, [...path, "coordinates"], type === "Polygon");
  }

  #collection(value: unknown, path: Path, depth: number): void {
    const place = [...path, "geometries"];
    if (!Array.isArray(value)) return this.#fault(place, "must be a list of geometries");
    if (depth > deepestCollection) {
      return this.#fault(place, `nests deeper than ${deepestCollection} levels`);
    }
    if (value.length === 0 && !this.isRepairable) return this.#fault(place, "must not be empty");
    for (const [index, each] of value.entries()) {
      if (this.#isEnough) return;
      this.geometry(each, [...place, index], depth + 1);
    }
  }

  #list(
    value: unknown,
    { depth, least }: { readonly depth: number; readonly least: number },
    path: Path,
    isPolygon: boolean,
  ): void {
    if (depth === 0) return this.#position(value, path);
    if (!Array.isArray(value)) return this.#fault(path, `must be a ${nouns[depth]}`);
    if (depth === 1) return this.#positionsOf(value, least, path);
    if (value.length === 0 && !this.isRepairable) return this.#fault(path, "must not be empty");
    for (const [index, each] of value.entries()) {
      if (this.#isEnough) return;
      this.#list(each, { depth: depth - 1, least }, [...path, index], isPolygon);
    }
  }

  #positionsOf(value: readonly unknown[], least: number, path: Path): void {
    this.#positions += value.length;
    if (this.#positions > positionsAtMost) {
      return this.#fault(path, `makes more than ${positionsAtMost} positions in one geometry`);
    }
    for (const [index, each] of value.entries()) {
      if (this.#isEnough) return;
      if (!isSound(each)) this.#position(each, [...path, index]);
    }
    if (this.isRepairable || this.faults.length > 0) return;
    if (value.length < least) {
      const noun = least === 4 ? "ring" : least === 2 ? "line" : "geometry";
      const count = least === 1 ? "1 position" : `${least} positions`;
      return this.#fault(path, `must have at least ${count} for a ${noun}; it has ${value.length}`);
    }
    if (least === 4 && !isClosed(value)) {
      this.#fault(
        [...path, value.length - 1],
        "must be the first position, so that the ring is closed",
      );
    }
    if (least === 2 && value.every((each) => isSamePlace(each, value[0]))) {
      this.#fault(path, "must have two different positions");
    }
  }

  #position(value: unknown, path: Path): void {
    if (!Array.isArray(value) || value.length < 2 || value.length > 3) {
      return this.#fault(path, "must be a position: [longitude, latitude] and maybe an altitude");
    }
    const wrong = value.findIndex((each) => typeof each !== "number" || !Number.isFinite(each));
    if (wrong >= 0) return this.#fault([...path, wrong], "must be a number");
    const [longitude, latitude]: unknown[] = value;
    const most = this.isRepairable ? 540 : 180;
    if (Math.abs(Number(longitude)) > most) {
      this.#fault([...path, 0], `must be a longitude from -180 to 180; it is ${String(longitude)}`);
    }
    if (Math.abs(Number(latitude)) > 90) {
      this.#fault([...path, 1], `must be a latitude from -90 to 90; it is ${String(latitude)}`);
    }
  }

  get #isEnough(): boolean {
    return this.faults.length >= faultsAtMost;
  }

  #fault(path: Path, detail: string): void {
    if (!this.#isEnough) this.faults.push({ path, detail });
  }
}

/** A position in range with two numbers, which most positions are. */
function isSound(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [x, y]: unknown[] = value;
  return (
    typeof x === "number" && x >= -180 && x <= 180 && typeof y === "number" && y >= -90 && y <= 90
  );
}

function isClosed(ring: readonly unknown[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  if (!Array.isArray(first) || !Array.isArray(last)) return false;
  return first.length === last.length && first.every((each, index) => each === last[index]);
}

function isSamePlace(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return false;
  return one[0] === other[0] && one[1] === other[1];
}
