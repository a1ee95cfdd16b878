import { expect, test } from "vitest";
import { barText } from "#lib/text/bar.ts";

test.each([
  [1, 4, "████"],
  [0.5, 4, "██"],
  [0.3, 4, "█▎"],
  [0.0001, 4, "▏"],
  [0, 4, ""],
  [-1, 4, ""],
  [2, 4, "████"],
])("a share of %d in %i columns is drawn", (share, width, text) => {
  expect(barText(share, width)).toBe(text);
});
