import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a feature may lack a geometry", async () => {
  expect(
    await sent('geo features create city-parks --id one --properties {"name":"Mill"}'),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "geoFeatures.create",
        { dataset: "city-parks" },
        { id: "one", geometry: null, properties: { name: "Mill" } },
      ],
    ],
    stdout: expect.stringContaining(
      'id          0198f0a0-2222-7000-8000-000000000002\ngeometry    {"named":"word"}',
    ),
  });
  expect(
    await sent('geo features create city-parks --geometry {"type":"Point","coordinates":[1,2]}'),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "geoFeatures.create",
        { dataset: "city-parks" },
        { geometry: { type: "Point", coordinates: [1, 2] } },
      ],
    ],
    stdout: expect.stringContaining(
      'id          0198f0a0-2222-7000-8000-000000000002\ngeometry    {"named":"word"}',
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("geo features create city-parks --geometry 7")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
