import fc from "fast-check";
import { expect, test } from "vitest";
import { askedWord, TermFinder } from "#server/text/search/asked-terms.ts";
import { highlightsOf } from "#server/text/search/highlights.ts";

/** The marked words of each part. */
function marked(texts: readonly string[], ...terms: string[]): [string, string[]][] {
  const searched = texts.map((text) => ({ property: "p", text }));
  const finder = new TermFinder(terms.map((term) => askedWord(term, ["en"])));
  return highlightsOf(searched, (word) => finder.termsOf(word)).map(({ text, matches }) => [
    text,
    matches.map(({ start, end }) => text.slice(start, end)),
  ]);
}

test("a short text is returned whole, with its words marked", () => {
  expect(marked(["Old hedges and a hedge"], "hedge")).toEqual([
    ["Old hedges and a hedge", ["hedges", "hedge"]],
  ]);
});

test("a reference is marked once, whichever of its parts matched", () => {
  expect(marked(["See PA-2026-0042"], "2026", "0042", "pa-2026-0042")).toEqual([
    ["See PA-2026-0042", ["PA-2026-0042"]],
  ]);
});

test.each(["", "a"])("a text without blanks is not cut within a character: %j", (before) => {
  const text = `${before}${"😀".repeat(200)}oak${"😀".repeat(200)}`;
  const [[part] = [""]] = marked([text], "oak");
  expect(part).toContain("😀oak😀");
  expect(part.isWellFormed()).toBe(true);
});

test("the texts with the most words come first, at most five", () => {
  const texts = ["oak", "ash", "oak and ash", "oak", "oak", "oak", "elm"];
  expect(marked(texts, "oak", "ash").map(([text]) => text)).toEqual([
    "oak and ash",
    "oak",
    "ash",
    "oak",
    "oak",
  ]);
});

test("a long text gives the part with the most words, cut between words", () => {
  const filler = "lorem ipsum dolor ".repeat(20);
  const [[text, words] = ["", []]] = marked(
    [`oak ${filler}oak near an ash ${filler}`],
    "oak",
    "ash",
  );
  expect(words).toEqual(["oak", "ash"]);
  expect(text).toMatch(/^…(lorem|ipsum|dolor) .* (lorem|ipsum|dolor)…$/);
  expect(text.length).toBeLessThanOrEqual(202);
});

test("the part with the most words is found anywhere in the longest text", () => {
  const length = 65_536;
  const lone = `oak ${"lorem ".repeat(40)}`;
  const part = "oak ash elm ";
  fc.assert(
    fc.property(fc.nat(Math.floor((length - part.length) / lone.length)), (before) => {
      const sparse = `${lone.repeat(before)}${part}${lone.repeat(length)}`;
      const crowded = `${"elm ".repeat(before * 50)}${part}${"oak ".repeat(length)}`;
      for (const text of [sparse, crowded]) {
        const [[, words] = ["", []]] = marked([text.slice(0, length)], "oak", "ash", "elm");
        expect(new Set(words)).toEqual(new Set(["oak", "ash", "elm"]));
      }
    }),
    { numRuns: 20 },
  );
});

test("any text: every mark is one of the words", () => {
  const word = fc.constantFrom(
    "oak",
    "ash",
    "😀",
    "\u001b[31m",
    "e\u0301",
    "x".repeat(70),
    "PA-1-23",
  );
  const texts = fc.array(fc.array(word, { maxLength: 80 }).map((words) => words.join(" ")));
  fc.assert(
    fc.property(texts, (all) => {
      for (const [, words] of marked(
        all.map((text) => text.normalize("NFC")),
        "oak",
        "23",
      )) {
        expect(words.length).toBeGreaterThan(0);
        for (const each of words) expect(["oak", "PA-1-23"]).toContain(each);
      }
    }),
  );
});
