import { expect, test } from "vitest";
import { pointer, pointerNames } from "#lib/json-pointer.ts";

test.each([
  ["#", []],
  ["#/data/amount", ["data", "amount"]],
  ["#/a~1b/m~0n", ["a/b", "m~n"]],
  ["#/~01", ["~1"]],
  ["#/", [""]],
])("%s leads through its names, and back", (path, names) => {
  expect(pointer(...names)).toBe(path);
  expect(pointerNames(path)).toEqual(names);
  expect(pointerNames(path.slice(1))).toEqual(names);
});

test("a place in a list is a number", () => {
  expect(pointer("items", 0, "id")).toBe("#/items/0/id");
});
