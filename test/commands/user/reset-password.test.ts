import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a one-time password is printed", async () => {
  expect(await sent(`user reset-password ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, where: '{"memberId":"0198f0a0-1111-7000-8000-000000000001"}' },
      ],
      ["members.resetPassword", { oid: id }],
    ],
    stdout: `user               ${id}\none-time password  word\nvalid until        2026-01-02T03:04:05.006Z\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`user reset-password ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
