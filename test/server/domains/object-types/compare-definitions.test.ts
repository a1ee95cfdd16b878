import { expect, test } from "vitest";
import {
  changedDefinition,
  faultsOf,
  looseAfter,
  newlyUnique,
  sameDefinition,
  searchesSame,
  targetsOf,
} from "#server/domains/object-types/compare-definitions.ts";

const definition = (more: object = {}): never =>
  ({ properties: { a: { type: "string" } }, linkTypes: [], actions: [], ...more }) as never;

test("absent members stay, null removes, and names that are gone keep their roles", () => {
  const stored = definition({ displayName: "Site", description: "x" });
  const changed = changedDefinition(stored, { description: null } as never);
  expect(changed).toMatchObject({ displayName: "Site", properties: { a: { type: "string" } } });
  expect(changed).not.toHaveProperty("description");
});

test("definitions are the same by value, and by the order of their properties", () => {
  const [one, other] = [{ type: "string" }, { type: "number" }];
  const ordered = definition({ properties: { one, other } });
  expect(sameDefinition(ordered, definition({ properties: { one, other } }))).toBe(true);
  expect(sameDefinition(ordered, definition({ properties: { other, one } }))).toBe(false);
  expect(sameDefinition(definition(), definition({ description: undefined }))).toBe(true);
});

test("targets have their pointers, and an unknown one is a fault", () => {
  const site = { type: "reference", targetObjectType: "site" };
  const linked = definition({
    properties: { site },
    linkTypes: [{ name: "owner", cardinality: "one", targetObjectType: "person" }],
  });
  expect(targetsOf(linked)).toEqual([
    { slug: "site", pointer: "#/properties/site/targetObjectType" },
    { slug: "person", pointer: "#/linkTypes/0/targetObjectType" },
  ]);
  expect(faultsOf(linked, new Set(["site"]))).toContainEqual({
    pointer: "#/linkTypes/0/targetObjectType",
    detail: '"person" is not an Object Type of this workspace',
  });
});

test("names may hold lists that the new definition does not declare", () => {
  const list = { type: "array", items: { type: "string" } };
  const stored = { loose: ["old"], definition: definition({ properties: { list, b: list } }) };
  const after = definition({ properties: { list: { type: "string" }, b: list } });
  expect(looseAfter(stored as never, after)).toEqual(["old", "list"]);
});

test("unique and searched properties are compared", () => {
  const unique = definition({ properties: { a: { type: "string", unique: true } } });
  expect([newlyUnique(definition(), unique), newlyUnique(unique, unique)]).toEqual([["a"], []]);
  const searched = definition({ properties: { a: { type: "string", searchable: true } } });
  expect([searchesSame(unique, definition()), searchesSame(searched, unique)]).toEqual([
    true,
    false,
  ]);
});
