import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a member is removed, and may keep the keys", async () => {
  expect(await sent(`user remove ${id} --force --keys keep`)).toMatchObject({
    exitCode: 0,
    requests: [["members.remove", { tenantId: workspace, memberId: id, keys: "keep" }]],
    stdout: `Removed ${id}\n`,
  });
  expect(await sent(`user remove ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["members.remove", { tenantId: workspace, memberId: id, keys: "revoke" }]],
    stdout: `Removed ${id}\n`,
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`user remove ${id} --force --keys odd`)).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
