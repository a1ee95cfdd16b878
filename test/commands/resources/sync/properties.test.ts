import { expect, test } from "vitest";
import type { ObjectType } from "#contract/object-types/object-types.ts";
import { syncedProperties } from "#commands/resources/sync/properties.ts";

const typeWith = (properties: ObjectType["properties"]): ObjectType => ({
  id: "1",
  name: "Permit",
  slug: "permit",
  properties,
  linkTypes: [{ name: "copies", targetObjectType: "permit", cardinality: "many" }],
  actions: [],
});

const from = typeWith({
  code: { type: "string", unique: true },
  title: { type: "string" },
  fee: { type: "number" },
  plan: { type: "file" },
  officer: { type: "reference", targetObjectType: "officer" },
  owners: { type: "array", items: { type: "reference", targetObjectType: "officer" } },
  secret: { type: "string" },
});
const to = typeWith({
  code: { type: "string", unique: true },
  title: { type: "string" },
  fee: { type: "string" },
  plan: { type: "file" },
  officer: { type: "reference", targetObjectType: "officer" },
  owners: { type: "array", items: { type: "reference", targetObjectType: "officer" } },
});
const none: ReadonlyMap<string, string> = new Map();

test("copies what both sides have in one type, and names the rest", () => {
  const { copied, leftOut } = syncedProperties(from, to, { key: "code", references: none });
  expect(copied).toEqual(["code", "title"]);
  expect(leftOut.map(({ property }) => property)).toEqual([
    "fee",
    "plan",
    "officer",
    "owners",
    "secret",
    "copies",
  ]);
});

test("copies a reference whose target has a key, and chosen properties with the key", () => {
  const references = new Map([["officer", "email"]]);
  const chosen = syncedProperties(from, to, { key: "code", only: ["officer"], references });
  expect(chosen.copied).toEqual(["code", "officer"]);
  expect(chosen.references).toEqual([{ property: "officer", type: "officer", key: "email" }]);
  expect(chosen.leftOut).toEqual([]);
});

test("refuses a key that is not unique, and an unknown property", () => {
  expect(() => syncedProperties(from, to, { key: "title", references: none })).toThrow(
    "--key title",
  );
  const only = ["colour"];
  expect(() => syncedProperties(from, to, { key: "code", only, references: none })).toThrow(
    "colour",
  );
});
