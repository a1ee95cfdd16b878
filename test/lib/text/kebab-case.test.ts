import { expect, test } from "vitest";
import { kebabCase } from "#lib/text/kebab-case.ts";

test.each([
  ["Planning Office", "planning-office"],
  ["  Señor Müller & Söhne!", "senor-muller-sohne"],
  ["A__b--C9", "a-b-c9"],
  ["日本", ""],
])("%j becomes %j", (name, result) => {
  expect(kebabCase(name)).toBe(result);
});
