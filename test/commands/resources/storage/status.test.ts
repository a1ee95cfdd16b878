import { expect, test } from "vitest";
import { sent, workspace } from "../../stub-platform.ts";

test("backends are listed", async () => {
  expect(await sent("resources storage status")).toMatchObject({
    exitCode: 0,
    requests: [["storage.status", { tenantId: workspace }]],
    stdout: "BACKEND  PROVIDER  STATUS  DETAIL\nword     word      word    word\n",
  });
});
