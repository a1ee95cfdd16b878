import { expect, test } from "vitest";
import { modelText } from "#commands/classifier/lines.ts";

test.each([
  [{ modelVersion: 3, accuracy: 0.926 }, "3 (accuracy 93 %)"],
  [{ modelVersion: 3, accuracy: null }, "3"],
  [{ modelVersion: null }, undefined],
  [undefined, undefined],
])("the model of %j is %s", (training, words) => {
  expect(modelText({ training } as never)).toBe(words);
});
