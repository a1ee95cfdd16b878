import { expect, test } from "vitest";
import { trimEnd } from "#lib/text/trim-end.ts";

test("only trailing characters that match are removed", () => {
  expect(trimEnd("/a//b///", /\//)).toBe("/a//b");
  expect(trimEnd("///", /\//)).toBe("");
  expect(trimEnd("a. ,", /[.,\s]/)).toBe("a");
  expect(trimEnd("ab", /\//)).toBe("ab");
});
