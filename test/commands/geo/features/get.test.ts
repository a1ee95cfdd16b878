import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a feature is printed", async () => {
  expect(await sent("geo features get city-parks one")).toMatchObject({
    exitCode: 0,
    requests: [["geoFeatures.get", { dataset: "city-parks", feature: "one" }]],
    stdout: expect.stringContaining(
      'id          0198f0a0-2222-7000-8000-000000000002\ngeometry    {"named":"word"}',
    ),
  });
});
