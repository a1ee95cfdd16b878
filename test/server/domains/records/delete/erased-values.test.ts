import { expect, test } from "vitest";
import { namedValue } from "#server/domains/records/delete/erased-values.ts";

test("a value belongs to its property, whatever characters both have", () => {
  expect(namedValue("email", "ada")).toBe(namedValue("email", "ada"));
  expect(namedValue("email", "ada")).not.toBe(namedValue("name", "ada"));
  expect(namedValue("a", "b c")).not.toBe(namedValue("a b", "c"));
});
