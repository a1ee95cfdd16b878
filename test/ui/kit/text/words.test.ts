import { describe, expect, it } from "vitest";
import {
  ageWords,
  durationWords,
  numberWords,
  shareWords,
  sizeWords,
  valueWords,
} from "#ui/kit/text/words.ts";

describe("values as text", () => {
  const now = Date.parse("2026-11-21T12:00:00.000Z");
  it.each([
    ["2026-11-21T11:59:30.000Z", "now"],
    ["2026-11-21T11:58:00.000Z", "2m"],
    ["2026-11-21T09:00:00.000Z", "3h"],
    ["2026-11-18T12:00:00.000Z", "3d"],
    ["2026-01-02T12:00:00.000Z", "2026-01-02"],
    ["2027-01-02T12:00:00.000Z", "2027-01-02"],
    ["no time", "no time"],
    [undefined, ""],
  ])("the age of %s is %s", (time, words) => {
    expect(ageWords(time, now)).toBe(words);
  });

  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [2_100_000, "2.1 MB"],
    [undefined, ""],
  ])("the size %s is %s", (bytes, words) => {
    expect(sizeWords(bytes)).toBe(words);
  });

  it.each([
    [900, "0s"],
    [61_000, "1m"],
    [7_200_000, "2h"],
  ])("the duration %i ms is %s", (durationMs, words) => {
    expect(durationWords(durationMs)).toBe(words);
  });

  it("the share 0.868 is 87 %", () => {
    expect(shareWords(0.868)).toBe("87 %");
  });

  it.each([
    [null, ""],
    [true, "true"],
    [3, "3"],
    ["x", "x"],
    [["a", 1], "a, 1"],
    [{ a: 1 }, '{"a":1}'],
  ])("the value %j is %j", (value, words) => {
    expect(valueWords(value)).toBe(words);
  });
});

it.each([
  [2026, "2026"],
  [9_999.5, "9999.5"],
  [-12_400, "-12,400"],
  [1_751_500.25, "1,751,500.25"],
  [1e21, "1e+21"],
])("the number %d is %s", (value, words) => {
  expect(numberWords(value)).toBe(words);
});
