import { expect, test } from "vitest";
import { parsePattern, PatternError } from "#lib/pattern/syntax.ts";

const flags = { ignoreCase: false, multiline: false, dotAll: false };

function faultOf(source: string): string {
  try {
    parsePattern(source, flags);
    return "";
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error.message;
  }
}

test.each([
  ["a".repeat(1001), "is longer than 1000 characters"],
  ["a)", "has a ) without its ("],
  ["(a", "has a group that is not closed"],
  ["[a", "has a [ that is not closed"],
  ["[]", "has [] that no character fits"],
  ["*a", "has a * with nothing to repeat"],
  ["^*", "repeats an anchor"],
  ["a**", "has a repetition of a repetition without a group"],
  ["a{b", "has a { that is not a repetition: write \\{ for it"],
  ["a{3,2}", "has a repetition whose bounds are swapped"],
  ["a{256}", "repeats more than 255 times"],
  ["(?=a)", "looks around or sets flags inside, which is not supported"],
  ["(?<!a)", "looks around or sets flags inside, which is not supported"],
  ["\\", "ends with a backslash"],
  ["\\p", "has \\p, which is not supported"],
  ["\\1", "has \\1, which is not supported"],
  ["\\x1", "has an escape without its hexadecimal digits"],
  ["\\u0000", "names a character that no text holds"],
  ["[z-a]", "has a range in [] whose ends are swapped or no characters"],
  ["[[:alpha:]]", "has a POSIX class, which is not supported"],
  ["(".repeat(51) + ")".repeat(51), "nests deeper than 50 groups"],
])("the fault of %j is reported", (source, fault) => {
  expect(faultOf(source)).toBe(fault);
});

test("a pattern is a tree of sets, choices, repetitions and assertions", () => {
  expect(parsePattern("^(?<name>a|b)+?$", flags)).toEqual({
    kind: "sequence",
    parts: [
      { kind: "assertion", at: "text-start" },
      {
        kind: "repeat",
        minimum: 1,
        maximum: Infinity,
        part: {
          kind: "choice",
          options: [
            { kind: "set", set: [[97, 97]], literal: "a" },
            { kind: "set", set: [[98, 98]], literal: "b" },
          ],
        },
      },
      { kind: "assertion", at: "text-end" },
    ],
  });
});

test.each([
  ["a{2}", { minimum: 2, maximum: 2 }],
  ["a{2,}", { minimum: 2, maximum: Infinity }],
  ["a{0,255}", { minimum: 0, maximum: 255 }],
  ["a?", { minimum: 0, maximum: 1 }],
])("%s repeats %j times", (source, bounds) => {
  expect(parsePattern(source, flags)).toMatchObject({ kind: "repeat", ...bounds });
});

test("flags change anchors, dots and letters", () => {
  expect(parsePattern("$", { ...flags, multiline: true })).toEqual({
    kind: "assertion",
    at: "line-end",
  });
  expect(parsePattern(".", { ...flags, dotAll: true })).toMatchObject({ set: [[0, 0x10_ffff]] });
  expect(parsePattern("a", { ...flags, ignoreCase: true })).toEqual({
    kind: "set",
    set: [
      [65, 65],
      [97, 97],
    ],
  });
});
