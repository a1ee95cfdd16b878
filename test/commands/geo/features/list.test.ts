import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("features are found by their place", async () => {
  expect(
    await sent("geo features list city-parks --near 1,2,500 --bbox 0,0,9,9 --count"),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "geoFeatures.query",
        { dataset: "city-parks" },
        {
          page: 1,
          limit: 20,
          count: true,
          bbox: [0, 0, 9, 9],
          near: { position: [1, 2], metres: 500 },
        },
      ],
    ],
    stdout: expect.stringContaining(
      "ID                                    GEOMETRY  PROPERTIES        METRES\n0198f0a0-2222-7000-8000-000000000002  none     ",
    ),
  });
});

test.each([
  "geo features list city-parks --near 1,2",
  "geo features list city-parks --bbox 0,,9,9",
])("%s is refused before any request", async (words) => {
  expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
});
