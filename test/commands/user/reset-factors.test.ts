import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("the factors of a member, or of the caller, are removed", async () => {
  expect(await sent(`user reset-factors ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, where: '{"memberId":"0198f0a0-1111-7000-8000-000000000001"}' },
      ],
      ["members.resetFactors", { oid: id }],
    ],
    stdout: `Second factors removed of ${id}: 1\n`,
  });
  expect(await sent("user reset-factors --force")).toMatchObject({
    exitCode: 0,
    requests: [
      ["identity.me", {}],
      ["members.resetFactors", { oid: "0198f0a0-2222-7000-8000-000000000002" }],
    ],
    stdout: "Second factors removed of yourself: 1\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`user reset-factors ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
