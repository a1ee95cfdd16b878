import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("reports are listed", async () => {
  expect(await sent("geo report list")).toMatchObject({
    exitCode: 0,
    requests: [["geoReports.list", { page: "1", limit: "20" }]],
    stdout:
      'REPORT  TITLE  SOURCE            UPDATED\nword    word   {"named":"word"}  2026-01-02T03:04:05.006Z\n',
  });
});
