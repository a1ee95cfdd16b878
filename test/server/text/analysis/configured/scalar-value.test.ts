import { expect, test } from "vitest";
import {
  clarityOf,
  isScalarType,
  scalarOf,
} from "#server/text/analysis/configured/scalar-value.ts";

test.each([
  [" wall ", "string", "wall"],
  ["", "string", undefined],
  ["1,234.50", "number", 1234.5],
  ["12 %", "number", 12],
  ["12.5", "integer", undefined],
  ["12", "integer", 12],
  ["twelve", "number", undefined],
  ["Yes", "boolean", true],
  ["☒", "boolean", true],
  ["n", "boolean", false],
  ["maybe", "boolean", undefined],
  ["£12.5", "money", "GBP 12.50"],
  ["1.234,00 EUR", "money", "EUR 1234.00"],
  ["12.50", "money", undefined],
  ["5 March 2026", "date", "2026-03-05"],
  ["on 5 March 2026", "date", undefined],
] as const)("%j as %s is %j", (text, type, value) => {
  expect(scalarOf(text, type)).toBe(value);
});

test("a number that may be meant in another way is doubtful", () => {
  expect(clarityOf("1.234", "number")).toBeLessThan(1);
  expect(clarityOf("1,234.50", "number")).toBe(1);
  expect(clarityOf("wall", "string")).toBe(1);
  expect([isScalarType("money"), isScalarType("list")]).toEqual([true, false]);
});
