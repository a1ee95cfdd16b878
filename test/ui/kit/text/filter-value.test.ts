import { expect, test } from "vitest";
import { filterValue } from "#ui/kit/text/filter-value.ts";

test("a value is quoted where it would read as something else", () => {
  expect(["open", "2026-11-27", "in review", "null", 'a "b"'].map(filterValue)).toEqual([
    "open",
    "2026-11-27",
    '"in review"',
    '"null"',
    '"a \\"b\\""',
  ]);
  expect(filterValue(3)).toBe("3");
});
