import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a key is revoked after a question", async () => {
  expect(await sent(`key revoke ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["keys.revoke", { tenantId: workspace, keyId: id }]],
    stdout: `Revoked the key ${id}\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`key revoke ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
