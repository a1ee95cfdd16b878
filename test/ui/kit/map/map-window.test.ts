import { describe, expect, it } from "vitest";
import { areaFilter, moved, placeProperties, windowWords, zoomed } from "#ui/kit/map/map-window.ts";

const council = { west: -3, east: -1, south: 54, north: 55 };

describe("the window of a map", () => {
  it("is halved around its middle, and moved by shares", () => {
    expect(zoomed(council, 0.5)).toEqual({ west: -2.5, east: -1.5, south: 54.25, north: 54.75 });
    expect(moved(council, 0.5, 1)).toEqual({ west: -2, east: 0, south: 55, north: 56 });
    expect(windowWords(council)).toBe("54.50N 2.00W ↔ 2.00°");
  });

  it("stays on the earth, and goes around it", () => {
    const whole = zoomed(council, 1_000);
    expect(whole).toEqual({ west: -182 + 360, east: 178 + 360, south: -90, north: 90 });
    expect(moved({ west: 170, east: 179, south: 0, north: 9 }, 1, 0)).toMatchObject({
      west: 179,
      east: 188,
    });
    expect(moved({ west: 178, east: 187, south: 80, north: 89 }, 1, 9)).toEqual({
      west: -173,
      east: -164,
      south: 81,
      north: 90,
    });
  });
});

describe("the filter of the visible area", () => {
  it("has the box, next to the filter of the list", () => {
    const $box = [
      [-3, 54],
      [-1, 55],
    ];
    const area = { place: { $geoWithin: { $box } } };
    expect(areaFilter(["place"], council, undefined)).toEqual(area);
    expect(areaFilter(["place"], council, { status: "open" })).toEqual({
      $and: [{ status: "open" }, area],
    });
    expect(areaFilter(["place", "outline"], council, undefined)).toEqual({
      $or: [area, { outline: { $geoWithin: { $box } } }],
    });
  });

  it("goes across 180 degrees, and is none for the whole earth", () => {
    const date = { west: 170, east: 190.123456, south: -20, north: -10 };
    expect(areaFilter(["place"], date, undefined)).toMatchObject({
      place: {
        $geoWithin: {
          $box: [
            [170, -20],
            [-169.87654, -10],
          ],
        },
      },
    });
    expect(areaFilter(["place"], zoomed(council, 1_000), undefined)).toBeUndefined();
  });
});

it("a type has the properties that are places", () => {
  const properties = {
    name: { type: "string" },
    place: { type: "geopoint" },
    outline: { type: "geometry" },
  } as const;
  expect(placeProperties({ id: "1", name: "Site", slug: "site", properties })).toEqual([
    "place",
    "outline",
  ]);
});
