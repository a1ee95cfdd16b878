import { expect, test } from "vitest";
import {
  apiKeyRevocation,
  apiKeyRole,
  invitationRevocation,
  memberRemoval,
  memberRole,
  memberToggle,
  passwordReset,
} from "#ui/members/actions.ts";
import { recorded } from "../support/recorded-action.ts";

const member = { memberId: "m1", email: "ada@b.test", role: "tenant-staff" } as never;
const role = { id: "r1", key: "tenant-viewer" } as never;
const key = { keyId: "k1", name: "sync", role: "tenant-staff" } as never;

test("the role of a member, whose keys may follow", async () => {
  const answer = { keys: [{ keyId: "k1", name: "sync", status: "lowered" }] };
  expect(await recorded(memberRole, { member, role }, answer)).toMatchObject({
    title: "Change the role of ada@b.test to tenant-viewer",
    effects: ["1 member: tenant-staff → tenant-viewer, at once", expect.anything()],
    command: [["user", "role", "set"], { "member-id": "m1", role: "tenant-viewer" }],
    calls: [["members.setRole", { params: { memberId: "m1" }, body: { roleDefinitionId: "r1" } }]],
    done: "ada@b.test is now tenant-viewer; the key sync is lowered",
  });
});

test.each([
  ["revoke", { force: true }, {}, "revokes the key sync"],
  ["keep", { keys: "keep", force: true }, { keys: "keep" }, "keeps the key sync"],
] as const)("a member is removed with the choice %s", async (keys, options, query, effect) => {
  const removal = await recorded(memberRemoval, { member, made: [key], keys });
  expect(removal).toMatchObject({
    command: [["user", "remove", "m1"], options],
    calls: [["members.remove", { tenantId: "w", params: { memberId: "m1" }, query }]],
  });
  expect(removal.effects).toContain(effect);
});

test.each([
  ["active", "disable", "Disable", { force: true }],
  ["disabled", "enable", "Enable", {}],
])("a member that is %s", async (status, act, title, options) => {
  const toggled = { ...(member as object), status } as never;
  expect(await recorded(memberToggle, toggled)).toMatchObject({
    title: `${title} ada@b.test`,
    command: [["user", act, "m1"], options],
    calls: [[`members.${act}`, { params: { memberId: "m1" } }]],
    done: `${act}d ada@b.test`,
  });
});

test("a password and an invitation", async () => {
  const account = { ...(member as object), oid: "o1" } as never;
  expect((await recorded(passwordReset, account)).calls).toEqual([
    ["members.resetPassword", { params: { oid: "o1" } }],
  ]);
  const invitation = { invitationId: "i1" } as never;
  expect(await recorded(invitationRevocation, invitation)).toMatchObject({
    title: "Revoke the invitation of i1",
    calls: [["members.revokeInvitation", { params: { invitationId: "i1" } }]],
  });
});

test("a key is revoked where it belongs, and only removed elsewhere", async () => {
  const own = await recorded(apiKeyRevocation, key);
  expect(own).toMatchObject({
    effects: ["its access to every workspace, at once and for good"],
    done: "revoked sync",
  });
  const foreign = { ...(key as object), homeTenantId: "x" } as never;
  expect(await recorded(apiKeyRevocation, foreign, { status: "removed" })).toMatchObject({
    effects: [expect.stringContaining("another workspace owns it")],
    calls: [["keys.revoke", { params: { keyId: "k1" } }]],
    done: "sync has no access here",
  });
  expect(await recorded(apiKeyRole, { key, role })).toMatchObject({
    effects: ["1 API key: tenant-staff → tenant-viewer, at once"],
    calls: [["keys.setRole", { params: { keyId: "k1" }, body: { roleDefinitionId: "r1" } }]],
  });
});
