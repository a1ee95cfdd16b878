import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a feature is deleted", async () => {
  expect(await sent("geo features delete city-parks one --force")).toMatchObject({
    exitCode: 0,
    requests: [["geoFeatures.remove", { dataset: "city-parks", feature: "one" }]],
    stdout: "Deleted the feature one\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("geo features delete city-parks one")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
