import { describe, expect, test } from "vitest";
import { planSeed } from "#commands/types/plan.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";

/** The planned changes of a property from one definition to another. */
function changesOf(before: PropertyDefinition, after: PropertyDefinition) {
  const type = { name: "Thing", slug: "thing", linkTypes: [], actions: [] };
  const [step] = planSeed(
    [{ ...type, properties: { value: after } }],
    [{ ...type, id: "1", properties: { value: before } }],
  );
  return step?.changes ?? [];
}

const house = { type: "reference", targetObjectType: "house" } as const;
const listOf = (items: PropertyDefinition) => ({ type: "array", items }) as const;
const place = { type: "object", properties: { town: { type: "string" } } } as const;

test("the name of a target at run time is no change of a definition", () => {
  const target = { ...house, target_type: "house" };
  expect(changesOf(target, house)).toEqual([]);
  expect(changesOf(listOf(target), listOf(house))).toEqual([]);
});

describe("a property's values after a change of its definition", () => {
  test.each<[string, PropertyDefinition, PropertyDefinition]>([
    ["a wider type of text", { type: "string" }, { type: "text" }],
    ["a date as text", { type: "date" }, { type: "string" }],
    ["an address as text", { type: "email" }, { type: "string" }],
    ["whole numbers as numbers", { type: "integer" }, { type: "number" }],
    ["choices of text as text", { type: "enum", enum: ["a", "b"] }, { type: "string" }],
    ["choices of numbers as numbers", { type: "enum", enum: [1, 2] }, { type: "number" }],
    ["narrower bounds", { type: "string" }, { type: "string", maxLength: 3 }],
    ["fewer choices", { type: "enum", enum: ["a", "b"] }, { type: "enum", enum: ["b"] }],
    ["a meaning", { type: "number" }, { type: "number", meaning: "money", currency: "GBP" }],
    ["items of a wider type", listOf({ type: "string" }), listOf({ type: "text" })],
    ["items that may be anything", listOf({ type: "string" }), { type: "array" }],
    ["members that may be anything", place, { type: "object" }],
    ["a member more", place, { type: "object", properties: { ...place.properties, zip: house } }],
  ])("are kept with %s", (_name, before, after) => {
    const changes = changesOf(before, after);
    expect(changes).not.toEqual([]);
    expect(changes.filter(({ abandons }) => abandons !== undefined)).toEqual([]);
  });

  test.each<[string, PropertyDefinition, PropertyDefinition, string]>([
    ["numbers as whole numbers", { type: "number" }, { type: "integer" }, "value"],
    ["text as a date", { type: "string" }, { type: "date" }, "value"],
    ["mixed choices as text", { type: "enum", enum: ["a", 1] }, { type: "string" }, "value"],
    ["choices of text as numbers", { type: "enum", enum: ["a"] }, { type: "number" }, "value"],
    ["another target", house, { ...house, targetObjectType: "street" }, "value"],
    ["items of a narrower type", listOf({ type: "number" }), listOf({ type: "integer" }), "value"],
    ["items that could be anything", { type: "array" }, listOf({ type: "string" }), "value"],
    ["a member less in the items", listOf(place), listOf({ ...place, properties: {} }), "value"],
    ["members that could be anything", { type: "object" }, place, "value"],
    ["a member less", place, { type: "object", properties: {} }, "value.town"],
  ])("are lost with %s", (_name, before, after, path) => {
    const lost = changesOf(before, after).flatMap(({ abandons }) => abandons ?? []);
    expect(lost).toEqual([path]);
  });
});

test("a name of Object.prototype is a new name", () => {
  const type = { name: "Thing", slug: "thing", actions: [] };
  const link = { name: "valueOf", targetObjectType: "thing", cardinality: "many" } as const;
  const [step] = planSeed(
    [{ ...type, properties: { constructor: { type: "string" as const } }, linkTypes: [link] }],
    [{ ...type, id: "1", properties: {}, linkTypes: [] }],
  );
  expect(step?.changes).toEqual([
    { action: "add", part: "property", name: "constructor" },
    { action: "add", part: "link", name: "valueOf" },
  ]);
});
