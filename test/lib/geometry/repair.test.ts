import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readGeometry } from "#lib/geometry/read-geometry.ts";

function repaired(value: unknown): unknown {
  const reading = readGeometry(value, { repair: true });
  expect(reading.faults).toBeUndefined();
  return reading.faults === undefined ? reading.geometry : undefined;
}

describe("the repair of a geometry", () => {
  test("closes a ring, drops repeated positions and turns it against the clock", () => {
    const value = {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [0, 5],
          [0, 5],
          [5, 5],
          [5, 0],
        ],
      ],
    };
    const ring = [
      [0, 0],
      [5, 0],
      [5, 5],
      [0, 5],
      [0, 0],
    ];
    expect(repaired(value)).toEqual({ type: "Polygon", coordinates: [ring] });
  });

  test("cuts a polygon and a line that go on after 180 degrees", () => {
    const ring = [
      [170, 0],
      [190, 0],
      [190, 10],
      [170, 10],
      [170, 0],
    ];
    expect(repaired({ type: "Polygon", coordinates: [ring] })).toEqual({
      type: "MultiPolygon",
      coordinates: [
        [
          [
            [170, 0],
            [180, 0],
            [180, 10],
            [170, 10],
            [170, 0],
          ],
        ],
        [
          [
            [-180, 0],
            [-170, 0],
            [-170, 10],
            [-180, 10],
            [-180, 0],
          ],
        ],
      ],
    });
    expect(
      repaired({
        type: "LineString",
        coordinates: [
          [170, 0],
          [190, 20],
        ],
      }),
    ).toEqual({
      type: "MultiLineString",
      coordinates: [
        [
          [170, 0],
          [180, 10],
        ],
        [
          [-180, 10],
          [-170, 20],
        ],
      ],
    });
    expect(repaired({ type: "Point", coordinates: [190, 5] })).toEqual({
      type: "Point",
      coordinates: [-170, 5],
    });
  });

  test("makes the two areas of a ring that crosses itself", () => {
    const ring = [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ];
    const value = repaired({ type: "Polygon", coordinates: [ring] });
    expect(value).toMatchObject({ type: "MultiPolygon", coordinates: { length: 2 } });
  });

  test("gives up on rings that cross thousands of times", () => {
    // Each line from west to east crosses each line from south to north.
    const lines = Array.from({ length: 50 }, (_each, at) => at);
    const across = lines.flatMap((at) =>
      at % 2 === 0
        ? [
            [-1, at],
            [60, at],
          ]
        : [
            [60, at],
            [-1, at],
          ],
    );
    const along = lines.flatMap((at) =>
      at % 2 === 0
        ? [
            [at, 60],
            [at, -1],
          ]
        : [
            [at, -1],
            [at, 60],
          ],
    );
    const [first = []] = across;
    const reading = readGeometry(
      { type: "Polygon", coordinates: [[...across, ...along, first]] },
      { repair: true },
    );
    expect(reading.faults?.[0]?.detail).toContain("rings are too long or cross too often");
  });

  test("leaves null of a geometry without any part", () => {
    expect(repaired({ type: "MultiPoint", coordinates: [] })).toBeNull();
    expect(
      repaired({
        type: "Polygon",
        coordinates: [
          [
            [1, 1],
            [1, 1],
            [1, 1],
          ],
        ],
      }),
    ).toBeNull();
  });

  test("has no fault left, whatever the rings were, or says that it gave up", () => {
    const position = fc.tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: -9, max: 9 }));
    const rings = fc.array(fc.array(position, { minLength: 3, maxLength: 9 }), {
      minLength: 1,
      maxLength: 3,
    });
    const detail = "cannot be repaired, because its rings cross too near to each other";
    let refused = 0;
    fc.assert(
      fc.property(rings, (coordinates) => {
        const reading = readGeometry({ type: "Polygon", coordinates }, { repair: true });
        if (reading.faults !== undefined) {
          expect(reading.faults).toEqual([{ path: ["coordinates"], detail }]);
          refused += 1;
        } else if (reading.geometry !== null) {
          expect(readGeometry(reading.geometry).faults).toBeUndefined();
        }
      }),
      { numRuns: 60 },
    );
    // About one of 5,000 such polygons is refused.
    expect(refused).toBeLessThan(4);
  });
});
