import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, PatternError } from "#lib/pattern.ts";
import { sized } from "#test/support/size.ts";

const expressions = sized(6_000, 20_000);

describe("patterns", () => {
  const atom = fc.constantFrom(
    ..."a b c . [ab] [^a] [a-c0] \\d \\D \\w \\W \\s (?:ab) (b) ^ $ \\b \\B A 1 \\n é".split(" "),
  );
  const pattern = fc.letrec<{ any: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      atom,
      fc.tuple(tie("any"), tie("any")).map(([one, other]) => one + other),
      fc.tuple(tie("any"), tie("any")).map(([one, other]) => `(${one}|${other})`),
      fc
        .tuple(tie("any"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{0,3}", "{1,}", "*?"))
        .map(([one, times]) => `(?:${one})${times}`),
    ),
  })).any;
  const text = fc
    .array(fc.constantFrom("a", "b", "c", "A", "1", " ", "\n", "é", "😀", "-"), { maxLength: 8 })
    .map((characters) => characters.join(""));

  test("match where the language's own expressions do, for thousands of them", () => {
    let compared = 0;
    fc.assert(
      fc.property(
        pattern,
        text,
        fc.constantFrom("", "i", "m", "s", "im"),
        (source, sample, flags) => {
          let holds: boolean;
          try {
            holds = compilePattern(source, flags).test(sample);
          } catch (error) {
            return error instanceof PatternError;
          }
          compared += 1;
          // An `expect` for each of them would take longer than the pattern.
          return holds === new RegExp(source, `${flags}u`).test(sample);
        },
      ),
      { numRuns: expressions },
    );
    expect(compared).toBeGreaterThan(expressions / 2);
  });

  test.each([
    ["(a+)+$", `${"a".repeat(200_000)}b`, false],
    ["^(a|aa)+$", `${"a".repeat(200_000)}b`, false],
    ["(.*a){20}", "b".repeat(50_000), false],
    ["(x+x+)+y", "x".repeat(100_000), false],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000), false],
    ["(a|b)*a(a|b){12}$", `${"ab".repeat(50_000)}abbbbbbbbbbbb`, true],
    // Each character leads to a state that has not been met before.
    ["a[ab]{250}c", aperiodic(200_000), false],
    ["a[ab]{250}c", `${aperiodic(200_000)}a${"b".repeat(250)}c`, true],
  ])("%s takes one pass over a long text", (source, sample, holds) => {
    // A backtracking engine does not end for most of these.
    expect(compilePattern(source).test(sample)).toBe(holds);
  });

  test.each([
    "a[ab]{14}c$",
    "\\b(?:a[ab]{9}😀|b[ab]{12}cc)",
    "^b?[ab]*b[ab]{13}c\\b",
    "(?:a[ab]{13}\\Bb)+c",
  ])("%s matches where the language's own does, also with more states than are kept", (source) => {
    const pattern = compilePattern(source);
    const own = new RegExp(source, "u");
    expect(pattern.test(aperiodic(60_000))).toBe(own.test(aperiodic(60_000)));
    for (let start = 0; start < 2_000; start += 1) {
      const text = `${aperiodic(40, start)}${["c", "cc", "😀", " c", "b"][start % 5]}`;
      expect(pattern.test(text), text).toBe(own.test(text));
    }
  });

  test.each([
    ["(a", "has a group that is not closed"],
    ["a)", "has a ) without its ("],
    ["[a", "has a [ that is not closed"],
    ["*a", "has a * with nothing to repeat"],
    ["a**", "has a repetition of a repetition without a group"],
    ["a++", "has a repetition of a repetition without a group"],
    ["a{2,1}", "has a repetition whose bounds are swapped"],
    ["a{256}", "repeats more than 255 times"],
    ["a{x}", "has a { that is not a repetition: write \\{ for it"],
    ["(?=a)", "looks around or sets flags inside, which is not supported"],
    ["(?i)a", "looks around or sets flags inside, which is not supported"],
    ["(a)\\1", "has \\1, which is not supported"],
    ["\\p{L}", "has \\p, which is not supported"],
    ["[b-a]", "has a range in [] whose ends are swapped or no characters"],
    ["[[:alpha:]]", "has a POSIX class, which is not supported"],
    ["\\u00", "has an escape without its hexadecimal digits"],
    ["\\ud800", "names a character that no text holds"],
    ["^*", "repeats an anchor"],
    ["a\\", "ends with a backslash"],
    ["((((a{200}){200}){200}){200})", "is too large: its repetitions multiply"],
    ["a".repeat(1001), "is longer than 1000 characters"],
    ["(".repeat(60) + "a" + ")".repeat(60), "nests deeper than 50 groups"],
  ])("%s %s", (source, message) => {
    expect(() => compilePattern(source)).toThrow(new PatternError(message));
  });

  test("of plain characters have them as their literal", () => {
    const literal = (source: string, flags?: string) => compilePattern(source, flags).literal;
    expect(literal("^PA-2026")).toEqual({ text: "PA-2026", isAtStart: true, isAtEnd: false });
    expect(literal("a\\.b$")).toEqual({ text: "a.b", isAtStart: false, isAtEnd: true });
    expect(literal("a.b")).toBeUndefined();
    expect(literal("ab", "i")).toBeUndefined();
    expect(literal("^ab", "m")).toBeUndefined();
  });

  test("spell every set out for PostgreSQL", () => {
    expect(compilePattern("^a\\d?").postgresql).toBe("^[\\u0061](?:[\\u0030-\\u0039]){0,1}");
    expect(compilePattern("k", "i").postgresql).toBe("[\\u004b\\u006b]");
    expect(compilePattern("[^a]").postgresql).toBe(
      "[\\u0001-\\u0060\\u0062-\\ud7ff\\ue000-\\U0010ffff]",
    );
  });
});

/** A text of a and b without a period: the bits of a generator of pseudorandom numbers. */
function aperiodic(length: number, seed = 0): string {
  let state = (seed + 1) * 2_654_435_761;
  let text = "";
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state >>> 31 === 0 ? "a" : "b";
  }
  return text;
}

test("a long text is tested in parts, with the same result as at once", () => {
  const pattern = compilePattern("[ab]*a[ab]{200}c");
  const { letters } = Array.from({ length: 20_000 }).reduce<{ state: number; letters: string }>(
    ({ state, letters: before }) => ({
      state: (state * 75 + 74) % 65_537,
      letters: before + (state % 7 < 3 ? "a" : "b"),
    }),
    { state: 1, letters: "" },
  );
  for (const text of [letters, `${letters}${"a".repeat(201)}c`]) {
    const testing = pattern.testing(text);
    const other = pattern.testing(text);
    let parts = 1;
    let part = testing.next();
    for (; part.done !== true; part = testing.next()) {
      parts += 1;
      // Another test between two parts changes nothing.
      pattern.test(letters);
      other.next();
    }
    expect(part.value).toBe(pattern.test(text));
    expect(parts).toBeGreaterThan(8);
  }
  expect(pattern.testing("abc").next()).toEqual({ done: true, value: false });
});
