import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("the account is provisioned, also in a workspace", async () => {
  expect(await sent("user provision-me")).toMatchObject({
    exitCode: 0,
    requests: [["identity.provision", {}, {}]],
    stdout:
      "oid        0198f0a0-2222-7000-8000-000000000002\ne-mail     ada@example.org\nworkspace  street-tree\nrole       tenant-viewer\n",
  });
  expect(await sent(`user provision-me --workspace ${workspace}`)).toMatchObject({
    exitCode: 1,
    requests: [["identity.tenants", {}]],
    stderr: expect.stringContaining(
      'Error E202: Workspace "0198f0a0-1111-7000-8000-000000000009" not found',
    ),
  });
});
