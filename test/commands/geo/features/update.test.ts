import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("only the given parts change, in a version", async () => {
  expect(
    await sent('geo features update city-parks one --properties {"name":"Mill"} --version 3'),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "geoFeatures.update",
        { dataset: "city-parks", feature: "one" },
        { properties: { name: "Mill" }, version: 3 },
      ],
    ],
    stdout: expect.stringContaining(
      'id          0198f0a0-2222-7000-8000-000000000002\ngeometry    {"named":"word"}',
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("geo features update city-parks one")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
