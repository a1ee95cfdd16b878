import { expect, test } from "vitest";
import {
  featureLines,
  featureName,
  geometryType,
  metresWords,
  positionWords,
  propertyWords,
} from "#ui/geo/features/feature-words.ts";

const feature = {
  id: "f-1",
  geometry: { type: "Point", coordinates: [144.961234567, -37.81] },
  properties: { NAME: "Mill Park", kind: "park", closed: null },
};

test("a feature is named by its declared property, one called like a name, or its id", () => {
  expect(featureName(feature, ["kind"])).toBe("park");
  expect(featureName(feature, [])).toBe("Mill Park");
  expect(featureName({ id: "f-2" }, [])).toBe("f-2");
});

test("a feature has its position, its distance and its other properties", () => {
  expect(positionWords(feature.geometry)).toBe("37.81 S, 144.96123 E");
  expect(positionWords(null)).toBe("");
  expect(geometryType({ geometry: null })).toBe("none");
  expect(propertyWords(feature, ["NAME"])).toBe("kind park");
  expect([metresWords(1234.5), metresWords(25_400), metresWords(undefined)]).toEqual([
    "1,235 m",
    "25 km",
    "",
  ]);
  const lines = featureLines(feature, { width: 60, nowMs: 0 });
  const text = lines.map((line) => line.map((span) => span.text).join("")).join("\n");
  expect(text).toMatch(/kind +park[^]*geometry +Point[^]*"coordinates"/);
});
