import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a report is deleted", async () => {
  expect(await sent("geo report delete trees-by-area --force")).toMatchObject({
    exitCode: 0,
    requests: [["geoReports.remove", { report: "trees-by-area" }]],
    stdout: "Deleted the report trees-by-area\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("geo report delete trees-by-area")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
