import { expect, test } from "vitest";
import { memberKeys } from "#ui/members/keys.ts";

const reason = (intent: keyof typeof memberKeys, facts: object): string | undefined =>
  memberKeys[intent].entries[0].disabledReason?.of(facts);

test("an ended key is not changed, and the platform's refusal comes before the role's", () => {
  expect(reason("revokeKey", { keyStatus: "revoked" })).toBe("this key is revoked already");
  expect(reason("revokeKey", { keyStatus: "active" })).toBe(undefined);
  expect(reason("removeMember", { role: "tenant-staff" })).toMatch(/needs the role tenant-admin/);
  const refusals = { "members.remove": "the last admin stays" };
  expect(reason("removeMember", { role: "tenant-admin", refusals })).toBe("the last admin stays");
  expect(reason("removeMember", { role: "tenant-staff", refusals: {} })).toBe(undefined);
});
