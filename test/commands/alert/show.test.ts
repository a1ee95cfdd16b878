import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("an alert is shown", async () => {
  expect(await sent(`alert show ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["alerts.get", { alertId: id }]],
    stdout: expect.stringContaining(
      "alert         0198f0a0-2222-7000-8000-000000000002\nraised        2026-01-02T03:04:05.006Z",
    ),
  });
});
