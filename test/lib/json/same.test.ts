import { expect, test } from "vitest";
import { sameJson } from "#lib/json/same.ts";

test("the same JSON in another order is the same", () => {
  expect(sameJson({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
  expect(sameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(sameJson({ a: undefined }, { b: undefined })).toBe(false);
  expect(sameJson([1, 2], [2, 1])).toBe(false);
  expect(sameJson({}, [])).toBe(false);
  expect(sameJson(null, {})).toBe(false);
});
