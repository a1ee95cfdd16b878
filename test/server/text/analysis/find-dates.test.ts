import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDates } from "#server/text/analysis/find-dates.ts";

describe("dates", () => {
  test.each([
    ["2026-03-14", "2026-03-14"],
    ["14 March 2026", "2026-03-14"],
    ["the 1st of Feb., 2026", "2026-02-01"],
    ["March 14th, 2026", "2026-03-14"],
    ["Sept 3, 2026", "2026-09-03"],
    ["14/03/2026", "2026-03-14"],
    ["14.03.2026", "2026-03-14"],
    ["03/14/2026", "2026-03-14"],
  ])("%s", (text, value) => {
    expect(findDates(text).map((each) => each.value)).toEqual([value]);
  });

  test.each([
    ["am 3. März 2026", "2026-03-03"],
    ["le 14 février 2026", "2026-02-14"],
    ["1er août 2026", "2026-08-01"],
    ["el 3 de marzo de 2026", "2026-03-03"],
    ["3 maart 2026", "2026-03-03"],
    ["14 марта 2026 года", "2026-03-14"],
    ["3 Mart 2026", "2026-03-03"],
    ["3 października 2026", "2026-10-03"],
    ["2026年3月14日", "2026-03-14"],
  ])("of other languages: %s", (text, value) => {
    expect(findDates(text).map((each) => each.value)).toEqual([value]);
  });

  test.each([
    ["22 aout 2024", "2024-08-22"],
    ["24 aolt 2024", "2024-08-24"],
    ["26 ao(t 2026", "2026-08-26"],
    ["am 3. Marz 2026", "2026-03-03"],
    ["le 14 fevrier 2026", "2026-02-14"],
    ["3 EYLUL 2026", "2026-09-03"],
  ])("with a letter that has lost its accent are less sure: %s", (text, value) => {
    const [found] = findDates(text);
    expect([found?.value, found?.confidence]).toEqual([value, 0.75]);
  });

  test("a day that may be a month counts as the day, with less confidence", () => {
    expect(findDates("03/04/2026")).toEqual([
      { start: 0, end: 10, value: "2026-04-03", confidence: 0.6 },
    ]);
    expect(findDates("04/04/2026")[0]?.confidence).toBe(0.9);
  });

  test.each([
    "31 April 2026",
    "2026-02-30",
    "29/02/2025",
    "14 March 26",
    "1/2/3/2026",
    "May 2026",
    "31. April 2026",
    "22 aot 2024",
    "30 f3vrier 2026",
  ])("%s is no date", (text) => {
    expect(findDates(text)).toEqual([]);
  });

  test("a date in any form is read back", () => {
    const date = fc.date({
      min: new Date("1800-01-01"),
      max: new Date("2199-12-31"),
      noInvalidDate: true,
    });
    const form = fc.constantFrom<Intl.DateTimeFormatOptions>(
      { day: "numeric", month: "long", year: "numeric" },
      { day: "2-digit", month: "short", year: "numeric" },
      { day: "2-digit", month: "2-digit", year: "numeric" },
    );
    fc.assert(
      fc.property(date, form, (value, options) => {
        const written = value.toLocaleDateString("en-GB", { ...options, timeZone: "UTC" });
        const found = findDates(`on ${written}, at noon`);
        expect(found.map((each) => each.value)).toEqual([value.toISOString().slice(0, 10)]);
        expect(`on ${written}, at noon`.slice(found[0]!.start, found[0]!.end)).toBe(written);
      }),
    );
  });
});
