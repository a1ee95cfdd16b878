import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("datasets are listed", async () => {
  expect(await sent("geo datasets list")).toMatchObject({
    exitCode: 0,
    requests: [["geoDatasets.list", { page: "1", limit: "20" }]],
    stdout:
      "DATASET  TITLE  FEATURES  LICENCE  UPDATED\nword     word   1         word     2026-01-02T03:04:05.006Z\n",
  });
});
