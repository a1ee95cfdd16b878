import { expect, test } from "vitest";
import { isStorable } from "#server/kit/storable-text.ts";

test.each([
  ["plain ü 😀", true],
  ["a\0b", false],
  ["\ud83d", false],
  ["", true],
])("%j can be stored: %s", (text, holds) => {
  expect(isStorable(text)).toBe(holds);
});
