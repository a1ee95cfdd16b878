import { expect, test } from "vitest";
import { isProperty, itemsOf, targetOf, textIn } from "#ui/kit/data-fields/property.ts";

test("a property of any deployment is read by its keywords", () => {
  const list = { type: "array", items: { type: "reference", targetObjectType: "site" } };
  expect(itemsOf(list)).toBe(list.items);
  expect(itemsOf({ ...list, type: "string" })).toBe(undefined);
  expect(itemsOf({ type: "array", items: [] })).toBe(undefined);
  expect([targetOf(list), targetOf(list.items), targetOf({ type: "string" })]).toEqual([
    "site",
    "site",
    undefined,
  ]);
  expect([textIn({ type: "x", label: "" }, "label"), textIn({ type: "x" }, "constructor")]).toEqual(
    [undefined, undefined],
  );
  expect([isProperty({ type: 1 }), isProperty(null), isProperty({ type: "x" })]).toEqual([
    false,
    false,
    true,
  ]);
});
