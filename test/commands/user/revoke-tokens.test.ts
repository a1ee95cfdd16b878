import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("the tokens of the caller, or of a member, end", async () => {
  expect(await sent("user revoke-tokens --force")).toMatchObject({
    exitCode: 0,
    requests: [["identity.revokeTokens", {}]],
    stdout: "All your tokens and sessions have ended\n",
  });
  expect(await sent(`user revoke-tokens ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "members.list",
        { tenantId: workspace, where: '{"memberId":"0198f0a0-1111-7000-8000-000000000001"}' },
      ],
      ["members.revokeUserTokens", { oid: id }],
    ],
    stdout: `All tokens and sessions of ${id} have ended\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("user revoke-tokens")).toMatchObject({ exitCode: 2, requests: [] });
});
