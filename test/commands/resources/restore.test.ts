import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a record comes back from the trash", async () => {
  expect(await sent("resources restore site r1")).toMatchObject({
    exitCode: 0,
    requests: [["resources.restore", { tenantId: workspace, objectType: "site", id: "r1" }, {}]],
    stdout: "Restored site r1 as version 1\n",
  });
});
