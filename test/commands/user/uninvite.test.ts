import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("an invitation is revoked", async () => {
  expect(await sent(`user uninvite ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["members.revokeInvitation", { tenantId: workspace, invitationId: id }]],
    stdout: "Revoked the invitation of ada@example.org\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`user uninvite ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
