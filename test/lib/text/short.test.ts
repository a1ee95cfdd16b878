import { expect, test } from "vitest";
import { shortText } from "#lib/text/short.ts";

test.each([
  ["  two\nlines ", 20, "two lines"],
  ["exactly ten", 11, "exactly ten"],
  ["longer than ten", 10, "longer th…"],
  ["\x1b[31mred\x1b[0m", 10, "red"],
  ["ab😀", 4, "ab😀"],
  ["ab😀d", 4, "ab\ufffd…"],
])("%j in %i characters is %j", (text, length, short) => {
  expect(shortText(text, length)).toBe(short);
});

test("secrets are removed before the text is cut", () => {
  expect(shortText("key secret-secret end", 100, ["secret-secret"])).toBe("key [redacted] end");
});
