import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a dataset has its description", async () => {
  expect(
    await sent("geo datasets create city-parks --title Parks --licence CC-BY-4.0"),
  ).toMatchObject({
    exitCode: 0,
    requests: [
      ["geoDatasets.create", {}, { dataset: "city-parks", title: "Parks", licence: "CC-BY-4.0" }],
    ],
    stdout: expect.stringContaining("dataset      word\ntitle        word"),
  });
});
