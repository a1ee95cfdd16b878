import { expect, test } from "vitest";
import {
  selectedItems,
  selectedPart,
  selectionInput,
  splitSelection,
} from "#client/records/selection.ts";

const item = { id: "1", data: { a: 1, b: 2, c: 3 } };

test("a selection is sent as lists with commas", () => {
  expect(selectionInput({ fields: ["a", "b"], expand: [] })).toEqual({
    fields: "a,b",
    expand: undefined,
  });
  expect(splitSelection({ fields: ["a"], timeoutMs: 5 })).toEqual({
    selection: { fields: ["a"], expand: undefined },
    call: { timeoutMs: 5 },
  });
});

test.each([
  [undefined, { a: 1, b: 2, c: 3 }],
  [[], { a: 1, b: 2, c: 3 }],
  [["a", "c"], { a: 1, c: 3 }],
  [["-a"], { b: 2, c: 3 }],
])("%j selects %j", (fields, data) => {
  expect(selectedPart(item, { fields }).data).toEqual(data);
});

test("a record that has only the selected properties stays the same object", () => {
  expect(selectedPart(item, { fields: ["a", "b", "c"] })).toBe(item);
  const body = { items: [item] };
  expect(selectedItems(body, "items", {})).toBe(body);
  expect(selectedItems(body, "items", { fields: ["b"] })).toEqual({
    items: [{ id: "1", data: { b: 2 } }],
  });
});

test("a platform that does not expand is reported", () => {
  expect(() => selectedPart(item, { expand: ["officer"] })).toThrow(
    "the platform cannot expand records (officer)",
  );
  const expanded = { ...item, expanded: {} };
  expect(selectedPart(expanded, { expand: ["officer"] })).toBe(expanded);
});
