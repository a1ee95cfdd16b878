import { expect, test } from "vitest";
import {
  normalizeText,
  normalizeWords,
  splitLongText,
} from "#server/text/extraction/normalize-text.ts";

test.each([
  [" a \r\nb\u2028c\fd ", "a\nb\nc\nd"],
  ["a\n\n\n\n\nb", "a\n\nb"],
  ["a\u00a0b\u3000c", "a b c"],
  ["x\u200by\u202ez\u00ad\0", "xyz"],
  ["e\u0301", "é"],
  ["\x1b[31mred\x1b[0m", "red"],
  ["\ud83d", "\ufffd"],
  ["a\tb", "a\tb"],
])("%j is stored as %j", (text, stored) => {
  expect(normalizeText(text)).toBe(stored);
});

test("metadata are cut between characters", () => {
  expect(normalizeWords(`${"x".repeat(499)}😀`)).toBe("x".repeat(499));
});

test.each([
  ["one two three", 8, ["one two", "three"]],
  ["A. Bcd. Efg", 8, ["A. Bcd.", "Efg"]],
  ["para one\n\npara two", 12, ["para one", "para two"]],
  ["abcdefgh", 3, ["abc", "def", "gh"]],
  ["", 3, [""]],
])("%j in pieces of %i", (text, size, pieces) => {
  expect(splitLongText(text, size)).toEqual(pieces);
});
