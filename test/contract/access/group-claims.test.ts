import { expect, test } from "vitest";
import { isGroupClaim } from "#contract/access/group-claims.ts";

test.each([
  ["groups", true],
  ["roles", true],
  ["realm_access.roles", true],
  ["sub", false],
  ["email", false],
  // A member of a personal claim is personal too.
  ["address.country", false],
  ["scope", false],
])("the claim %s grants roles: %j", (claim, expected) => {
  expect(isGroupClaim(claim)).toBe(expected);
});
