import { expect, test } from "vitest";
import { pointer, pointerNames, pointerWords } from "#lib/json/pointer.ts";

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

test.each([
  ["größe", "#/gr%C3%B6%C3%9Fe"],
  ["a b", "#/a%20b"],
  ["50%", "#/50%25"],
  ["%41", "#/%2541"],
  ["#", "#/%23"],
  ["[a]", "#/%5Ba%5D"],
  ["$gt", "#/$gt"],
])("%j is encoded where a URI can't hold it", (name, path) => {
  expect(pointer(name)).toBe(path);
  expect(pointerNames(path)).toEqual([name]);
  expect(pointerWords(path)).toBe(`#/${name}`);
});

test("half a surrogate pair, which nothing can encode, is replaced", () => {
  expect(pointer("a\ud83d")).toBe("#/a%EF%BF%BD");
});

test("a name that is not encoded is read unchanged", () => {
  expect(pointerNames("#/100% wool")).toEqual(["100% wool"]);
});

test("the pointer of a JSON Patch is no fragment, and its names are as they are", () => {
  expect(pointerNames("/%41")).toEqual(["%41"]);
});

test("a place in a list is a number", () => {
  expect(pointer("items", 0, "id")).toBe("#/items/0/id");
});
