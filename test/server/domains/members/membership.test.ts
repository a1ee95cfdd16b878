import { expect, test } from "vitest";
import { memberOf, roleFacts } from "#server/domains/members/membership.ts";

const row = {
  id: "m",
  oid: "o",
  email: "",
  display_name: "Ada",
  first_name: "",
  last_name: "L",
  role: "king",
  role_definition_id: null,
  role_key: null,
  status: "odd",
  account_disabled_at: "2026-01-01",
  rule_id: null,
  created_at: "2026-01-02",
};

test("names that are not known are left out, and a damaged role is the lowest", () => {
  expect(memberOf(row as never)).toEqual({
    memberId: "m",
    oid: "o",
    displayName: "Ada",
    lastName: "L",
    role: "tenant-viewer",
    status: "active",
    accountDisabled: true,
    created_at: "2026-01-02",
  });
});

test("a role of the workspace has its id and key", () => {
  expect(roleFacts("r", "clerk")).toEqual({ roleDefinitionId: "r", roleName: "clerk" });
  expect(roleFacts(null, null)).toEqual({});
});
