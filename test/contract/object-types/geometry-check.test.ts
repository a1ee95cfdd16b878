import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRecordCheck } from "#contract/object-types/record.ts";
import type { JsonObject } from "#contract/values.ts";
import { atOnce, type Stepwise } from "#lib/time/stepwise.ts";

const check = compileRecordCheck({ properties: { outline: { type: "geometry" } } });

function checked(outline: unknown) {
  const { data, faults } = check({ outline }, { isCreation: true, base: ["data"] });
  return {
    stored: data["outline"],
    faults: faults.map(({ pointer, detail }) => `${pointer} ${detail}`),
  };
}

const square = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
  [0, 0],
];
const hole = square.map((position) => position.map((each) => each / 5 + 1));

const geometries: readonly JsonObject[] = [
  { type: "Point", coordinates: [1, 2] },
  {
    type: "MultiPoint",
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: "LineString",
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: "MultiLineString",
    coordinates: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
      ],
    ],
  },
  { type: "Polygon", coordinates: [square, hole] },
  { type: "MultiPolygon", coordinates: [[square, hole], [hole]] },
  {
    type: "GeometryCollection",
    geometries: [
      { type: "Point", coordinates: [1, 2] },
      { type: "Polygon", coordinates: [square] },
    ],
  },
];

describe("a geometry of a record", () => {
  test.each(geometries)("is stored as it is given: $type", (geometry) => {
    expect(checked(geometry)).toEqual({ stored: geometry, faults: [] });
  });

  test("is stored without -0", () => {
    const { stored } = checked({ type: "Point", coordinates: [-0, 0] });
    expect(stored).toStrictEqual({ type: "Point", coordinates: [0, 0] });
  });

  test.each([
    ["a text", "here", "#/data/outline must be a geometry of GeoJSON"],
    ["another type", { type: "Circle" }, "#/data/outline/type must be one of Point"],
    [
      "a foreign member",
      { type: "Point", coordinates: [1, 2], bbox: [1, 2, 1, 2] },
      "#/data/outline/bbox is not a member of a geometry here",
    ],
    [
      "a foreign member inside",
      { type: "GeometryCollection", geometries: [{ type: "Point", coordinates: [1, 2], x: 1 }] },
      "#/data/outline/geometries/0/x is not a member of a geometry here",
    ],
    [
      "rings that cross",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
            [0, 0],
          ],
        ],
      },
      "#/data/outline/coordinates/0",
    ],
  ])("with %s is refused at its place", (_name, value, fault) => {
    expect(checked(value).faults.join()).toContain(fault);
  });

  /** One number, list or member of a sound geometry is made wrong. */
  const wrong = fc.constantFrom<unknown>(null, "1", true, {}, [], 1e9, -1e9, Number.NaN);
  const malformed = fc
    .tuple(
      fc.constantFrom(...geometries),
      fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
      wrong,
    )
    .map(([geometry, choices, value]) => {
      const copy = structuredClone(geometry);
      const place = placeIn(copy, choices.values());
      place.holder[place.key] = value;
      return copy;
    })
    // A number too few or too many positions is the business of other tests.
    .filter((copy) => JSON.stringify(copy) !== "{}");

  test("that is malformed is always refused with a pointer to its place: 500 of them", () => {
    let refused = 0;
    fc.assert(
      fc.property(malformed, (value) => {
        const { stored, faults } = checked(value);
        expect(faults.length, JSON.stringify(value)).toBeGreaterThan(0);
        expect(stored).toBeUndefined();
        for (const fault of faults) expect(fault).toMatch(/^#\/data\/outline\S* \S+/);
        refused += 1;
      }),
      { numRuns: 500 },
    );
    expect(refused).toBe(500);
  });
});

/** A member of a geometry or of one of its lists, chosen by numbers. */
function placeIn(
  value: JsonObject,
  choices: Iterator<number>,
): { readonly holder: Record<string, unknown>; readonly key: string } {
  const holder: Record<string, unknown> = value;
  const keys = Object.keys(holder);
  const key = keys[Number(choices.next().value) % keys.length] ?? "type";
  const inner = holder[key];
  const isEnd = typeof inner !== "object" || inner === null;
  if (isEnd || Number(choices.next().value) % 3 === 0) return { holder, key };
  return placeIn(inner as JsonObject, choices);
}

test("the areas of a large geometry are left to the caller, who gets their fault", () => {
  const positions = 5_000;
  const ring = Array.from({ length: positions }, (_each, at) => {
    const angle = (2 * Math.PI * at) / positions;
    return [50 * Math.cos(angle), 50 * Math.sin(angle)];
  });
  // The last edge crosses the circle.
  const crossing = [...ring, [-60, 0], ring[0]];
  const later: Stepwise<void>[] = [];
  const outline = { type: "Polygon", coordinates: [crossing] };
  const options = { isCreation: true, patterns: { left: 0, later } };
  const { faults } = check({ outline }, options);
  expect([faults.length, later.length]).toEqual([0, 1]);
  for (const test of later) atOnce(test);
  expect(faults).toHaveLength(1);
});
