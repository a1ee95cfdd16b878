import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("only the given descriptions change", async () => {
  expect(await sent("geo datasets update city-parks --title New")).toMatchObject({
    exitCode: 0,
    requests: [["geoDatasets.update", { dataset: "city-parks" }, { title: "New" }]],
    stdout: expect.stringContaining("dataset      word\ntitle        word"),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("geo datasets update city-parks")).toMatchObject({ exitCode: 2, requests: [] });
});
