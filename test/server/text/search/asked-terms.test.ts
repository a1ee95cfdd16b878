import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  askedTerms,
  askedWord,
  languagesOfQuery,
  TermFinder,
  weightOfTimes,
} from "#server/text/search/asked-terms.ts";
import { readQuery } from "#server/text/search/asked-query.ts";
import { entryOf } from "#server/text/search/searched-texts.ts";
import { numberedTexts } from "#server/text/terms/numbered-words.ts";
import { wordsOfText } from "#server/text/terms/text-words.ts";

describe("the terms of a query", () => {
  const termsOf = (query: string): string[] => askedTerms(query, ["en"]).map(({ term }) => term);

  test("are distinct, and stop words count only alone", () => {
    expect(termsOf("the hedges by the hedge")).toEqual(["hedg"]);
    expect(termsOf("the who")).toEqual(["the", "who"]);
    expect(termsOf("桜通りの桜")).toEqual(["桜通り", "桜"]);
  });

  test("are bounded, and count how often the query has each", () => {
    const long = Array.from({ length: 600 }, (_, at) => `word${at}`).join(" ");
    expect(termsOf(long)).toHaveLength(64);
    const [quay, wall] = askedTerms("quay wall quays Quay", ["en"]);
    expect([quay?.times, wall?.times]).toEqual([3, 1]);
    expect(weightOfTimes(1)).toBe(1);
    expect(weightOfTimes(1_000)).toBeLessThan(9);
  });

  test("are looked up as an earlier build wrote them too", () => {
    expect(askedWord("connections", ["en"]).indexed).toEqual([
      "connections",
      "connect",
      "connection",
    ]);
  });
});

test.each([
  ["Wohnungen", ["de", "en"], ["de", "en"]],
  ["Was kostet die Genehmigung für eine Wohnung in der Stadt?", ["de", "en"], ["de"]],
  ["Was kostet die Genehmigung für eine Wohnung in der Stadt?", ["en"], ["en", "de"]],
  ["Quay Street", [], ["en"]],
] as const)("%s in a workspace with %j is read as %j", (query, ofWorkspace, languages) => {
  expect(languagesOfQuery(query, ofWorkspace)).toEqual(languages);
});

test.each([
  ["VX-17*", "valves VX-1741 and VX1742, not VX-1641", 2],
  ["VX17*", "valves VX-1741 and VX1742, not VX-1641", 2],
  ["plan*", "planned planning airplane", 2],
  // A stem is no beginning of its word.
  ["happi*", "happy happiness", 1],
  ["connect*", "connections", 1],
])("%s begins words of a text", (query, text, count) => {
  const { terms } = readQuery(query);
  expect(terms).toHaveLength(1);
  const [counted] = new TermFinder(terms).count(numberedTexts([text]));
  expect([...(counted?.counts.values() ?? [])]).toEqual([count]);
});

test("a hyphen before the star changes nothing", () => {
  expect(readQuery("PA-2026-*").terms).toEqual(readQuery("PA-2026*").terms);
});

test("a single letter, and a sign within a word, are no beginnings", () => {
  for (const query of ["a*", "*", "wal*l", "* wall"]) {
    expect(readQuery(query).terms.flatMap(({ prefixes }) => prefixes)).toEqual([]);
  }
});

test("the index proposes each text in which a term counts", () => {
  const words = [
    ["VX-1741", "vx1742", "PA-2026-0042", "organised", "Organization", "planned", "planning"],
    ["Wohnungen", "Wohnung", "Genehmigungen", "die", "und", "nicht", "ist", "der"],
    ["solicitudes", "información", "informacion", "licence", "licensing", "the", "of"],
    ["согласование", "согласования", "مدرسة", "المدرسة", "東京都", "Café", "cafes"],
  ].flat();
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 20 });
  const query = fc.array(
    fc.tuple(fc.constantFrom(...words), fc.constantFrom("", "", "*")).map((each) => each.join("")),
    { minLength: 1, maxLength: 6 },
  );
  fc.assert(
    fc.property(text, query, (inText, asked) => {
      const written = inText.join(" ").normalize("NFC");
      const { terms: indexed } = entryOf([written]);
      const { terms } = readQuery(asked.join(" "), ["de", "en", "es"]);
      const [counted] = new TermFinder(terms).count(numberedTexts([written]));
      for (const term of terms) {
        if (counted?.counts.has(term.term) !== true) continue;
        const isProposed = term.indexed.some((each) =>
          typeof each === "string"
            ? indexed.includes(each)
            : indexed.some((own) => own.startsWith(each.prefix)),
        );
        expect(isProposed, `${term.term} of ${written}`).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test("texts as numbers are counted as their words are, one by one", () => {
  const words = ["VX-1741", "vx1742", "planned", "Planning", "the", "Wohnungen", "solicitudes"];
  const text = fc.array(fc.constantFrom(...words, "naïve", "東京都", "file-name", "quay"), {
    maxLength: 30,
  });
  const query = fc.array(fc.constantFrom(...words, "vx-17*", "plan*", "東京"), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), query, (written, asked) => {
      const { terms } = readQuery(asked.join(" "), ["de", "en", "es"]);
      const texts = written.map((each) => each.join(" ").normalize("NFC"));
      const one = new TermFinder(terms);
      const expected = texts.map((each) => {
        const counts = new Map<string, number>();
        const found = wordsOfText(each);
        for (const term of found.flatMap((word) => one.termsOf(word))) {
          counts.set(term, (counts.get(term) ?? 0) + 1);
        }
        return { counts, length: found.length };
      });
      expect(new TermFinder(terms).count(numberedTexts(texts))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
