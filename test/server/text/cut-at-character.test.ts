import { expect, test } from "vitest";
import { cutAt } from "#server/text/cut-at-character.ts";

test("a cut parts no character, and stays where it parts none", () => {
  const text = "a😀b\ud83d";
  expect([0, 1, 2, 3, 4, 5, 6].map((end) => cutAt(text, end))).toEqual([0, 1, 1, 3, 4, 5, 6]);
});
