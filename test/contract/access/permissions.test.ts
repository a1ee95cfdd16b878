import { expect, test } from "vitest";
import {
  capabilities,
  capabilityNamed,
  capabilityOf,
  permissionsNamed,
  permissionsOf,
  rankOf,
} from "#contract/access/permissions.ts";
import { roles } from "#contract/access/roles.ts";

test("a capability is found by its name and by its route", () => {
  const found = capabilityNamed("resources.create");
  expect(found?.capability).toBe("resources.create");
  const { method = "GET", path = "" } = found?.definition ?? {};
  expect(capabilityOf(method, path)).toBe(found);
  expect(capabilityNamed("resources.creates")).toBe(undefined);
});

test("each role may do what the lower ones may, and more", () => {
  let before = new Set<string>();
  for (const role of roles) {
    const own = new Set(permissionsOf(role));
    expect(before.isSubsetOf(own)).toBe(true);
    expect(own.size).toBeGreaterThan(before.size);
    expect(rankOf(own)).toBe(role);
    before = own;
  }
  expect(rankOf(new Set())).toBe(roles[0]);
});

test("a name stands for one route, or for those of a domain below the admin", () => {
  expect(permissionsNamed("resources.create")).toEqual(["resources.create"]);
  const documents = permissionsNamed("documents.*");
  expect(documents.length).toBeGreaterThan(3);
  expect(documents.every((name) => name.startsWith("documents."))).toBe(true);
  const all = capabilities.map(({ capability }) => capability);
  const members = permissionsNamed("members.*");
  expect(all).toContain("members.remove");
  expect(members).not.toContain("members.remove");
  expect([permissionsNamed("none.*"), permissionsNamed("identity.me")]).toEqual([[], []]);
});
