import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("roles are listed with the number of their permissions", async () => {
  expect(await sent("user roles")).toMatchObject({
    exitCode: 0,
    requests: [["members.roleDefinitions", { tenantId: workspace }]],
    stdout:
      "KEY   NAME  PERMISSIONS  DESCRIPTION  ID\nword  word            1  word         0198f0a0-2222-7000-8000-000000000002\n",
  });
});
