import { expect, test } from "vitest";
import { correctionsOf, isNearlySame } from "#server/domains/geo/gazetteer/typos.ts";

test.each([
  ["pais", "paris", true],
  ["pariss", "paris", true],
  ["parys", "paris", true],
  ["prais", "paris", true],
  ["paris", "paris", true],
  ["aprsi", "paris", false],
  ["par", "paris", false],
  ["", "ab", false],
])("%s and %s: one edit apart is %s", (one, other, expected) => {
  expect(isNearlySame(one, other)).toBe(expected);
  expect(isNearlySame(other, one)).toBe(expected);
});

test("the corrections of a key are all texts at one edit, the few likelier than the many", () => {
  const corrections = new Map(
    [...correctionsOf("oslo")].map(({ key, likelihood }) => [key, likelihood]),
  );
  for (const key of corrections.keys()) expect(isNearlySame(key, "oslo")).toBe(true);
  expect(corrections.get("olso")).toBe(0);
  expect(corrections.get("osolo")).toBe(0);
  expect(corrections.get("osla")).toBeLessThan(0);
  expect(corrections.get("osl")).toBeLessThan(0);
  expect(corrections.has("oslo")).toBe(false);
});
