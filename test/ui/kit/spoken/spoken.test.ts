import { expect, test } from "vitest";
import { rowNumber } from "#ui/kit/spoken/spoken.ts";

test.each([
  [0, {}, "1. "],
  [2, { selected: true }, "3. selected  "],
  [9, { marked: true, isNew: true }, "10. marked new  "],
  [1, { isGhost: true }, "2. gone  "],
])("row %i with %j begins with %j", (index, state, words) => {
  expect(rowNumber(index, state)).toBe(words);
});
