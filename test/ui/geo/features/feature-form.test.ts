import { expect, it } from "vitest";
import {
  featureChanges,
  featureCreation,
  featureData,
  featureFaults,
  featureOptions,
} from "#ui/geo/features/feature-form.ts";

const point = { type: "Point", coordinates: [1, 2] };
const feature = { id: "f", version: 3, geometry: point, properties: { name: "A", height: 2 } };

it("sends changed properties alone, and null for a removed one", () => {
  const after = { ...featureData(feature), properties: { name: "B" } };
  expect(featureChanges(feature, after)).toEqual({
    properties: { name: "B", height: null },
    version: 3,
  });
  expect(featureChanges(feature, { properties: { name: "A", height: 2 } })).toEqual({
    geometry: null,
    version: 3,
  });
});

it("has no command that removes a geometry", () => {
  expect(featureOptions({ geometry: null, version: 3 })).toBe(undefined);
  expect(featureOptions({ geometry: point })).toEqual({ geometry: JSON.stringify(point) });
});

it("creates a feature without a geometry, and refuses parts that are no objects", () => {
  expect(featureCreation({ id: "x" })).toEqual({ id: "x", geometry: null });
  expect(featureFaults({ geometry: [1, 2] })).toEqual([
    { pointer: "#/geometry", detail: "must be a JSON object" },
  ]);
});
