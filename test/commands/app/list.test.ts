import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("enrolled apps are listed", async () => {
  expect(await sent("app list")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "resources.list",
        { tenantId: workspace, objectType: "tenant-vertical-enrollment", limit: "50" },
      ],
    ],
    stdout:
      "KEY                                   NAME  STATUS  ADDRESS  RUNS IN\n0198f0a0-2222-7000-8000-000000000002\n",
  });
});
