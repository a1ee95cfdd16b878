import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("the values of a property are counted", async () => {
  expect(await sent("resources distinct site status")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "resources.distinct",
        { tenantId: workspace, objectType: "site" },
        { property: "status", order: "count", limit: 20 },
      ],
    ],
    stdout: "STATUS  RECORDS\nword          1\n",
  });
});
