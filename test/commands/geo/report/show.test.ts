import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a report is shown", async () => {
  expect(await sent("geo report show trees-by-area")).toMatchObject({
    exitCode: 0,
    requests: [["geoReports.get", { report: "trees-by-area" }]],
    stdout: expect.stringContaining("report       word\ntitle        word"),
  });
});
