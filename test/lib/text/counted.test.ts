import { expect, test } from "vitest";
import { counted } from "#lib/text/counted.ts";

test.each([
  [0, "0 records"],
  [1, "1 record"],
  [2_000, "2,000 records"],
])("%i of a thing is %j", (count, words) => {
  expect(counted(count, "record")).toBe(words);
});
