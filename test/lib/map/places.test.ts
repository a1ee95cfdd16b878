import { expect, test } from "vitest";
import { placesIn } from "#lib/map/places.ts";

const data = {
  title: "a",
  site: { type: "Point", coordinates: [13.4, 52.5] },
  entrance: { type: "Point", coordinates: [13.5, 52.6] },
  broken: { type: "Point", coordinates: ["x"] },
  none: null,
};

test("each geometry of a record has a place, or only the wanted one", () => {
  expect(placesIn(data)).toEqual([
    { property: "site", coordinates: [13.4, 52.5] },
    { property: "entrance", coordinates: [13.5, 52.6] },
  ]);
  expect(placesIn(data, "entrance").map(({ property }) => property)).toEqual(["entrance"]);
  expect(placesIn(data, "title")).toEqual([]);
});
