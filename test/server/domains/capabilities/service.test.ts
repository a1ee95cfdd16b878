import { expect, test } from "vitest";
import { CapabilityService } from "#server/domains/capabilities/service.ts";

const staff = { role: "tenant-staff", name: "tenant-staff", permissions: undefined };
const defined = { ...staff, permissions: new Set(["members.remove"]) };

function serviceOf(held: object | undefined): CapabilityService {
  return new CapabilityService({ heldIn: () => held, isChildOf: () => false } as never);
}

test.each([
  [staff, "resources.create", true],
  [staff, "members.remove", false],
  [defined, "members.remove", true],
  [defined, "resources.create", false],
  [undefined, "resources.create", false],
  [staff, "none.none", false],
])("a role may use a route: case %#", async (held, capability, may) => {
  expect(await serviceOf(held).mayUse("w", "u", capability)).toBe(may);
});

const person = { oid: "u", systemAdmin: false } as never;

test("several capabilities have a decision each, and one refused refuses all", async () => {
  const question = { capabilities: ["resources.create", "members.remove"], tenantId: "w" };
  const answer = await serviceOf(staff).evaluate(person, question);
  expect(answer.allowed).toBe(false);
  expect(answer.decisions?.map(({ allowed }) => allowed)).toEqual([true, false]);
  const one = await serviceOf(staff).evaluate(person, {
    capability: "resources.create",
    tenantId: "w",
  });
  expect(one).toMatchObject({ allowed: true });
  expect(one).not.toHaveProperty("decisions");
});

test("a stranger's workspace is not found, and an unknown name has its pointer", async () => {
  const question = { capability: "resources.create", tenantId: "w" };
  await expect(serviceOf(undefined).evaluate(person, question)).rejects.toMatchObject({
    code: "not-found",
  });
  const unknown = { capabilities: ["identity.me", "none"], tenantId: "w" };
  await expect(serviceOf(staff).evaluate(person, unknown)).rejects.toMatchObject({
    options: { errors: [{ pointer: "#/capabilities/1" }] },
  });
});

test("the catalog has each route once", () => {
  const { items, roles } = serviceOf(staff).catalog();
  expect(new Set(items.map(({ capability }) => capability)).size).toBe(items.length);
  expect(roles).toContain("tenant-builder");
});
