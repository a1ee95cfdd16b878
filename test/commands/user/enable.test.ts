import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a member is enabled here, or in every workspace", async () => {
  expect(await sent(`user enable ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["members.enable", { tenantId: workspace, memberId: id }]],
    stdout: `Enabled ${id}\n`,
  });
  expect(await sent(`user enable ${id} --everywhere`)).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, where: '{"memberId":"0198f0a0-1111-7000-8000-000000000001"}' },
      ],
      ["members.enableUser", { oid: id }],
    ],
    stdout: `Enabled ${id}\n`,
  });
});
