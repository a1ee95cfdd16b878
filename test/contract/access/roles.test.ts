import { describe, expect, test } from "vitest";
import { isAmong, keepsPermissions, roleIncludes, roles } from "#contract/access/roles.ts";

test("each role includes itself and the ones before it", () => {
  const included = roles.map((held) => roles.filter((required) => roleIncludes(held, required)));
  expect(included.map(({ length }) => length)).toEqual([1, 2, 3, 4]);
});

describe("a right that names roles", () => {
  test.each([
    ["no named role at all", undefined, "tenant-viewer", "tenant-viewer", true],
    ["a lower role", ["tenant-staff"], "tenant-builder", "tenant-builder", true],
    ["a higher role", ["tenant-builder"], "tenant-staff", "tenant-staff", false],
    ["a role of the workspace", ["auditor"], "tenant-viewer", "auditor", true],
    ["another role of the workspace", ["auditor"], "tenant-viewer", "clerk", false],
    ["no role", [], "tenant-builder", "tenant-builder", false],
    ["no role, for an admin", [], "tenant-admin", "tenant-admin", true],
  ] as const)("%s", (_, named, role, name, expected) => {
    expect(isAmong(named, { role, name })).toBe(expected);
  });
});

describe("a member keeps all permissions", () => {
  test.each([
    ["in a higher base role", { role: "tenant-staff" }, { role: "tenant-admin" }, true],
    ["in the same role", { role: "tenant-staff" }, { role: "tenant-staff" }, true],
    ["not in a lower role", { role: "tenant-admin" }, { role: "tenant-staff" }, false],
    ["not in an unknown role", { role: "tenant-viewer" }, { role: "owner" }, false],
    ["in the same own role", { roleDefinitionId: "r1" }, { roleDefinitionId: "R1" }, true],
    ["not in a base role after an own one", { roleDefinitionId: "r1" }, { role: "x" }, false],
  ])("%s", (_, held, next, expected) => {
    expect(keepsPermissions(held, next)).toBe(expected);
  });
});
