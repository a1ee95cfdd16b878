import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("alerts are listed", async () => {
  expect(await sent("alert list --limit 5")).toMatchObject({
    exitCode: 0,
    requests: [["alerts.list", { page: "1", limit: "5" }]],
    stdout: expect.stringContaining(
      "RAISED                    RULE  ALERT  STATUS  ID\n2026-01-02T03:04:05.006Z  word  word   word    0198f0a0-2222-7000-8000",
    ),
  });
});
