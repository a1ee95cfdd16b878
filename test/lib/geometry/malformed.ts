/** A geometry that must be refused, with the place of its fault and a part of the reason. */
export interface Malformed {
  readonly geometry: unknown;
  readonly path: string;
  readonly reason: string;
}

type Position = readonly [number, number];
type Kind = (at: (x: number, y: number) => Position, variant: number) => Malformed;

const of = (type: string, coordinates: unknown) => ({ type, coordinates });
const malformed = (geometry: unknown, path: string, reason: string): Malformed => {
  return { geometry, path, reason };
};

/** Each kind of fault, for a geometry that begins anywhere on the earth. */
const kinds: readonly Kind[] = [
  (_at, n) => malformed([[n, n], "POINT(1 1)", n, true][n % 4], "", "a geometry"),
  (at, n) => {
    const type = ["point", "Polygone", "", 7, null, undefined][n % 6];
    return malformed({ type, coordinates: at(0, 0) }, "type", "must be one of");
  },
  (_at, n) => malformed(of("Point", [null, "1,1", {}, 7][n % 4]), "coordinates", "a position"),
  (at) => malformed(of("Point", [at(0, 0)]), "coordinates", "a position"),
  (at, n) => malformed(of("Point", [...at(0, 0), 1, n]), "coordinates", "a position"),
  (at, n) => malformed(of("MultiPoint", [at(0, 0), [n]]), "coordinates/1", "a position"),
  (at, n) => {
    const wrong = ["12", null, true, [1]][n % 4];
    return malformed(of("Point", [at(0, 0)[0], wrong]), "coordinates/1", "must be a number");
  },
  (at, n) => malformed(of("Point", [180.1 + n, at(0, 0)[1]]), "coordinates/0", "a longitude"),
  (at, n) => malformed(of("Point", [at(0, 0)[0], -90.1 - n]), "coordinates/1", "a latitude"),
  (_at, n) => {
    const type = ["MultiPoint", "LineString", "Polygon", "MultiPolygon"][n % 4] ?? "";
    return malformed(of(type, []), "coordinates", n % 4 < 2 ? "at least" : "must not be empty");
  },
  (at) => malformed(of("LineString", [at(0, 0)]), "coordinates", "at least 2 positions"),
  (at) => malformed(of("LineString", [at(1, 1), at(1, 1)]), "coordinates", "two different"),
  (at) => malformed(of("MultiLineString", [at(0, 0), at(1, 1)]), "coordinates/0/0", "a position"),
  (at) => malformed(of("Polygon", [at(0, 0), at(1, 1)]), "coordinates/0/0", "a position"),
  (at) => {
    const ring = [at(0, 0), at(1, 0), at(0, 0)];
    return malformed(of("Polygon", [ring]), "coordinates/0", "at least 4 positions");
  },
  (at) => {
    const ring = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
    return malformed(of("Polygon", [ring]), "coordinates/0/3", "the first position");
  },
  (at) => {
    const ring = [at(0, 0), at(0, 0), at(0, 0), at(0, 0)];
    return malformed(of("Polygon", [ring]), "coordinates/0", "without an area");
  },
  (at, n) => {
    const ring = [at(0, 0), at(2, 2), at(2, 0), at(0, 1 + (n % 3)), at(0, 0)];
    return malformed(of("Polygon", [ring]), "coordinates/0", "crosses itself");
  },
  (at) => {
    const ring = [at(0, 0), at(4, 0), at(4, 4), at(4, 8), at(4, 4), at(0, 4), at(0, 0)];
    return malformed(of("Polygon", [ring]), "coordinates/0", "runs along itself");
  },
  (at, n) => {
    const hole = [at(3, 1), at(6 + n, 1), at(3, 3), at(3, 1)];
    return malformed(of("Polygon", [square(at, 4), hole]), "coordinates/", "crosses the ring");
  },
  (at) => {
    const hole = [at(6, 1), at(7, 1), at(7, 3), at(6, 1)];
    return malformed(of("Polygon", [square(at, 4), hole]), "coordinates/1", "is in a hole");
  },
  (at, n) => {
    const broken = square(at, 2).slice(0, 3 + (n % 2));
    const reason = n % 2 === 0 ? "at least 4 positions" : "the first position";
    return malformed(of("MultiPolygon", [[square(at, 1)], [broken]]), "coordinates/1/0", reason);
  },
  (_at, n) => {
    const geometry = { type: "GeometryCollection", geometries: [null, {}, 7][n % 3] };
    return malformed(geometry, "geometries", "a list of geometries");
  },
  (at, n) => {
    const geometries = [of("Point", at(0, 0)), of("Point", [n])];
    const geometry = { type: "GeometryCollection", geometries };
    return malformed(geometry, "geometries/1/coordinates", "a position");
  },
  (at, n) => {
    let geometry: unknown = of("Point", at(0, 0));
    for (let depth = 0; depth < 9 + n; depth += 1) {
      geometry = { type: "GeometryCollection", geometries: [geometry] };
    }
    return malformed(geometry, "geometries", "nests deeper");
  },
];

function square(at: Parameters<Kind>[0], side: number): Position[] {
  return [at(0, 0), at(side, 0), at(side, side), at(0, side), at(0, 0)];
}

const variants = 20;

/** Five hundred geometries, twenty of each kind, from all parts of the earth. */
export function malformedGeometries(): Malformed[] {
  return kinds.flatMap((kind, number) =>
    Array.from({ length: variants }, (_each, variant) => {
      const turn = number * variants + variant;
      const [west, south] = [-170 + ((turn * 37) % 300), -80 + ((turn * 17) % 130)];
      return kind((x, y) => [west + x, south + y], variant);
    }),
  );
}
