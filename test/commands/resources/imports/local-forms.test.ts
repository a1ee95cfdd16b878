import { describe, expect, test } from "vitest";
import { dateReader, numberReader } from "#commands/resources/imports/local-forms.ts";

describe("dates of a form", () => {
  test.each([
    ["DD.MM.YYYY", "14.03.2026", "2026-03-14"],
    ["DD.MM.YYYY", "4.3.2026", "2026-03-04"],
    ["D/M/YY", "14/3/26", "2026-03-14"],
    ["M/D/YY", "3/14/69", "1969-03-14"],
    ["YYYYMMDD", "20260314", "2026-03-14"],
    ["YYYY-MM-DD", " 2024-02-29 ", "2024-02-29"],
  ])("%s reads %s", (form, text, date) => {
    expect(dateReader(form)?.(text)).toEqual({ date, time: undefined });
  });

  test("have a time of day where the form has one", () => {
    const read = dateReader("DD.MM.YYYY HH:mm");
    expect(read?.("14.03.2026 9:05")).toEqual({ date: "2026-03-14", time: "09:05:00" });
    expect(read?.("14.03.2026 24:00")).toBeUndefined();
    expect(read?.("14.03.2026")).toBeUndefined();
  });

  test.each([
    ["DD.MM.YYYY", "31.02.2026"],
    ["DD.MM.YYYY", "14.13.2026"],
    ["DD.MM.YYYY", "14/03/2026"],
    ["DD.MM.YYYY", "14.03.26"],
    ["YYYYMMDD", "2026314"],
  ])("%s refuses %s", (form, text) => {
    expect(dateReader(form)?.(text)).toBeUndefined();
  });

  test.each(["", "DD.MM", "DD.MM.MM.YYYY", "day", "DD of MM YYYY"])("%j is no form", (form) => {
    expect(dateReader(form)).toBeUndefined();
  });
});

describe("numbers of a form", () => {
  test.each([
    ["1.234,56", "1.234.567,8", "1234567.8"],
    ["1.234,56", "1234,5", "1234.5"],
    ["1.234,56", "€ 12,50", "12.50"],
    ["1,234.56", "-1,234.50", "-1234.50"],
    ["1,234.56", "(1,234.50)", "-1234.50"],
    ["1,234.56", "12.5-", "-12.5"],
    ["1,234.56", "\u2212 5", "-5"],
    ["1,234.56", "$1,000", "1000"],
    ["1 234,56", "1\u00a0234,56 kr", "1234.56"],
    ["1 234,56", "1\u202f234\u202f567 EUR", "1234567"],
    ["1'234.56", "CHF 1’234.56", "1234.56"],
  ])("%s reads %s", (form, text, number) => {
    expect(numberReader(form)?.(text)).toBe(number);
  });

  test.each([
    ["1.234,56", "1,234.56"],
    ["1.234,56", "12.34"],
    ["1.234,56", "1.23.456"],
    ["1,234.56", "1,23"],
    ["1,234.56", "25 %"],
    ["1,234.56", "n/a"],
    ["1,234.56", "--5"],
    ["1,234.56", ""],
  ])("%s refuses %j", (form, text) => {
    expect(numberReader(form)?.(text)).toBeUndefined();
  });

  test.each(["", "1", "1,234,56", "2.345,6", "#,##0"])("%j is no form", (form) => {
    expect(numberReader(form)).toBeUndefined();
  });
});
