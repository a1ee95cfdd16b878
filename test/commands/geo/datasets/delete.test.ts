import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a dataset is deleted after a question", async () => {
  expect(await sent("geo datasets delete city-parks --force")).toMatchObject({
    exitCode: 0,
    requests: [["geoDatasets.remove", { dataset: "city-parks" }]],
    stdout: "Deleted the dataset city-parks\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("geo datasets delete city-parks")).toMatchObject({ exitCode: 2, requests: [] });
});
