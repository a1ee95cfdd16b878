import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("an invitation is accepted by its secret, alone or in a link", async () => {
  expect(await sent("user accept secret-1")).toMatchObject({
    exitCode: 0,
    requests: [["identity.acceptInvitation", {}, { secret: "secret-1" }]],
    stdout:
      "workspace  street-tree\nid         0198f0a0-2222-7000-8000-000000000002\nrole       tenant-viewer\n",
  });
  expect(
    await sent("user accept http://platform.test/auth/invitation?secret=secret-2"),
  ).toMatchObject({
    exitCode: 0,
    requests: [["identity.acceptInvitation", {}, { secret: "secret-2" }]],
    stdout:
      "workspace  street-tree\nid         0198f0a0-2222-7000-8000-000000000002\nrole       tenant-viewer\n",
  });
});
