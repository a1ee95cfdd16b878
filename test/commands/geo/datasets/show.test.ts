import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a dataset is shown", async () => {
  expect(await sent("geo datasets show city-parks")).toMatchObject({
    exitCode: 0,
    requests: [["geoDatasets.get", { dataset: "city-parks" }]],
    stdout: expect.stringContaining("dataset      word\ntitle        word"),
  });
});
