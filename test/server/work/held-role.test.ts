import { expect, test } from "vitest";
import { heldRole, refusedCaller, roleWithinApp, storedRole } from "#server/work/held-role.ts";

const access = {
  heldIn: (workspace: string, oid: string) => `${oid} in ${workspace}`,
  heldInDeletedToo: (workspace: string) => `deleted ${workspace}`,
  isChildOf: (workspace: string, parent: string) => workspace.startsWith(parent),
} as never;
const person = { oid: "p", systemAdmin: false } as never;
const app = { oid: "a", systemAdmin: false, appWorkspaceId: "w" } as never;

test.each([
  ["a person", {}, person, "x", "p in x"],
  ["a person in a deleted workspace", { deletedToo: true }, person, "x", "deleted x"],
  ["an app in its workspace", {}, app, "w", "a in w"],
  ["an app in a child of its workspace", {}, app, "w1", "a in w1"],
  ["an app elsewhere", {}, app, "x", undefined],
])("the role of %s", (_who, facts, principal, workspace, role) => {
  expect(heldRole(facts as never, principal, workspace, access)).toBe(role);
});

test("the installation's administrator has a role where the route says so", () => {
  const admin = { oid: "p", systemAdmin: true } as never;
  expect(heldRole({ systemAdminToo: true }, admin, "x", access)).toMatchObject({
    role: "tenant-admin",
  });
  expect(heldRole({}, admin, "x", access)).toBe("p in x");
  expect(roleWithinApp(person, "x", access)).toBe("p in x");
});

test.each([
  [{ access: "public", workspace: "none" }, { appWorkspaceId: "w" }, undefined],
  [{ access: "signed-in", workspace: "none" }, { appWorkspaceId: "w" }, "app"],
  [{ access: "signed-in", workspace: "none", appsToo: true }, { appWorkspaceId: "w" }, undefined],
  [{ access: "tenant-staff", workspace: "path", peopleOnly: true }, { appWorkspaceId: "w" }, "app"],
  [{ access: "tenant-staff", workspace: "path", peopleOnly: true }, { isKey: true }, "key"],
  [{ access: "tenant-staff", workspace: "path" }, { isKey: true }, undefined],
])("a route %j refuses %j: %s", (route, caller, refused) => {
  expect(refusedCaller(route as never, caller as never)).toBe(refused);
});

test("a damaged role counts as the lowest one", () => {
  expect([storedRole("tenant-admin"), storedRole("king")]).toEqual([
    "tenant-admin",
    "tenant-viewer",
  ]);
});
