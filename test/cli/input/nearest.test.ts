import { expect, test } from "vitest";
import { nearest } from "#cli/input/nearest.ts";

const known = ["workspace", "resources", "docs", "types", "user"];

test.each([
  ["workspcae", "workspace"],
  ["resource", "resources"],
  ["doc", "docs"],
  ["tpyes", "types"],
  ["usr", "user"],
  ["xyz", undefined],
  ["", undefined],
])("the word nearest to %j is %s", (word, found) => {
  expect(nearest(word, known)).toBe(found);
});

test("a long word is compared by its beginning", () => {
  expect(nearest("x".repeat(1_000_000), known)).toBe(undefined);
});
