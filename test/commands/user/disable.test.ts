import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a member is disabled here, or in every workspace", async () => {
  expect(await sent(`user disable ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["members.disable", { tenantId: workspace, memberId: id }]],
    stdout: `Disabled ${id}\n`,
  });
  expect(await sent(`user disable ${id} --everywhere --force`)).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, where: '{"memberId":"0198f0a0-1111-7000-8000-000000000001"}' },
      ],
      ["members.disableUser", { oid: id }],
    ],
    stdout: `Disabled ${id} in every workspace\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`user disable ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
