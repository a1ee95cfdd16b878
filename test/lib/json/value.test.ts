import { expect, test } from "vitest";
import { filledText, isJsonObject, membersOf, parsedJson, sortedJson } from "#lib/json/value.ts";

test("text that is no JSON has no value, and null is one", () => {
  expect(parsedJson('{"a":1}')).toEqual({ a: 1 });
  expect(parsedJson("null")).toBeNull();
  expect(parsedJson("{a:1}")).toBeUndefined();
  expect(parsedJson("")).toBeUndefined();
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  expect(JSON.stringify(parsedJson(nested(1_000)))).toBe(nested(1_000));
  expect(parsedJson(nested(1_001))).toBeUndefined();
});

test("an object is neither null nor a list", () => {
  const values = [{}, { a: 1 }, null, [], "text", 1, true, undefined];
  expect(values.filter(isJsonObject)).toEqual([{}, { a: 1 }]);
  expect(values.map((value) => membersOf(value)?.size)).toEqual([
    0,
    1,
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

test("members are found by any name, and what every object inherits is none", () => {
  const members = membersOf(JSON.parse('{"__proto__":1,"toString":2}'));
  expect(members?.get("__proto__")).toBe(1);
  expect(members?.get("toString")).toBe(2);
  expect(members?.get("hasOwnProperty")).toBeUndefined();
});

test("a text has something in it", () => {
  expect(["a", "", 1, null, undefined].map(filledText)).toEqual([
    "a",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("the order of members makes no difference, that of items does", () => {
  expect(sortedJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
  expect(sortedJson([2, 1])).toBe("[2,1]");
  expect(sortedJson({ a: undefined })).toBe("{}");
  expect(sortedJson(undefined)).toBe("");
});
