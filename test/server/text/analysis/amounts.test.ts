import { describe, expect, test } from "vitest";
import { readAmount } from "#server/text/analysis/amounts.ts";
import { clarityOf, scalarOf } from "#server/text/analysis/configured/scalar-value.ts";
import { findValues } from "#server/text/analysis/find-values.ts";

describe("amounts in local forms", () => {
  test.each([
    ["1.234,56 €", "EUR 1234.56"],
    ["€ 1.234,56", "EUR 1234.56"],
    ["1 234,56 €", "EUR 1234.56"],
    ["1\u202f234,56\u00a0€", "EUR 1234.56"],
    ["CHF 1'234.50", "CHF 1234.50"],
    ["CHF 1’234.50", "CHF 1234.50"],
    ["£1,234.56", "GBP 1234.56"],
    ["₹12,34,567.50", "INR 1234567.50"],
    ["1.234.567,89 EUR", "EUR 1234567.89"],
    ["12 345,00 zł", "PLN 12345.00"],
    ["120.000,00 TL", "TRY 120000.00"],
    ["12,50 €", "EUR 12.50"],
    ["5.000,- €", "EUR 5000.00"],
    ["99,– EUR", "EUR 99.00"],
    ["-£30.00", "GBP -30.00"],
    ["€ -12,00", "EUR -12.00"],
    ["−1.234,56 €", "EUR -1234.56"],
  ])("%s is %s, in a text and as a field", (written, value) => {
    expect(findValues(`Sum: ${written} due`).map((found) => found.value)).toEqual([value]);
    expect(scalarOf(written, "money")).toBe(value);
    expect(clarityOf(written, "money")).toBe(1);
  });

  test.each([
    ["1.234 €", "EUR 1234.00"],
    ["USD 1 000", "USD 1000.00"],
    ["1 234 €", "EUR 1234.00"],
  ])("%s may be meant in another way: %s with little confidence", (text, value) => {
    expect(findValues(text)).toMatchObject([{ value, confidence: 0.6 }]);
  });

  test.each([["£70-£180"], ["- £30 for the key"], ["Fee - £30"]])(
    "a dash in %s is no sign",
    (text) => {
      for (const { value } of findValues(text)) expect(value).not.toContain("-");
    },
  );

  test.each([["1.234,567.8"], ["1,23,4"], ["12.34.56"], ["(5"], [""], ["1 23"], ["five"]])(
    "%s is no amount",
    (written) => expect(readAmount(written, { isMoney: true })).toBeUndefined(),
  );

  test("a number with one point before three digits is decimal, with little confidence", () => {
    expect(scalarOf("1.234", "number")).toBe(1.234);
    expect(clarityOf("1.234", "number")).toBe(0.6);
    expect(scalarOf("(1,234.50)", "number")).toBe(-1234.5);
    expect(clarityOf("03/04/2026", "date")).toBe(0.6);
    expect(clarityOf("03.04.2026", "date")).toBe(0.9);
  });
});
