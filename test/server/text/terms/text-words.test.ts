import { describe, expect, test } from "vitest";
import { askedTerms, askedWord } from "#server/text/search/asked-terms.ts";
import { wordsOfName, wordsOfText } from "#server/text/terms/text-words.ts";

const termsOf = (text: string): string[] => wordsOfText(text).map(({ term }) => term);

describe("the words of a text", () => {
  test.each([
    ["Planned extensions", ["plan", "extension"]],
    ["Résumés of JOSÉ", ["resum", "of", "jose"]],
    ["PA-2026-0042", ["pa-2026-0042", "pa", "2026", "0042"]],
    ["well-kept hedge", ["well", "kept", "hedg"]],
    ["1,200.50 pounds", ["1", "200", "50", "pound"]],
    ["?! … —", []],
    ["x".repeat(65), []],
    ["東京都と京", ["東京", "東", "京", "都", "と", "京"]],
    ["桜通り", ["桜通り", "桜", "桜通", "通", "通り"]],
    ["データ２", ["データ", "デ", "デー", "タ", "2"]],
    ["हिन्दी में", ["हिन्दी", "में"]],
    ["שָׁלוֹם 1️⃣", ["שלום", "1"]],
    ["อ่านที่", ["อ่าน", "ที่"]],
  ])("%s", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  test("a reference has its parts, also after a search was corrected to it", () => {
    askedWord("ZQ-2031-0777", ["en"]);
    expect(termsOf("ZQ-2031-0777")).toEqual(["zq-2031-0777", "zq", "2031", "0777"]);
  });

  test.each([
    ["connections", ["connections", "connect"]],
    ["VX-1741", ["vx-1741", "vx1741"]],
    ["licences", ["licences", "licens"]],
    ["Согласованиями", ["согласованиями", "согласован"]],
  ])("%s has the forms %j", (text, forms) => {
    expect(wordsOfText(text)[0]?.forms).toEqual(forms);
  });

  test("a word has its stem with and without accents", () => {
    const text = "La licitación fue aprobada por los vecinos de la ciudad en el mes de mayo.";
    const found = wordsOfText(text).find(({ forms }) => forms[0] === "licitacion");
    expect(found?.forms).toContain("licit");
    expect(askedTerms("licitaciones", ["es"])[0]?.forms).toContain("licit");
  });

  test("have their offsets", () => {
    const text = "A hedge, PA-1-23!";
    const found = wordsOfText(text).map(({ term, start, end }) => [term, text.slice(start, end)]);
    expect(found).toEqual([
      ["a", "A"],
      ["hedg", "hedge"],
      ["pa-1-23", "PA-1-23"],
      ["pa", "PA-1-23"],
      ["1", "PA-1-23"],
      ["23", "PA-1-23"],
    ]);
  });

  test("include stop words only in short texts", () => {
    expect(termsOf("The Who")).toEqual(["the", "who"]);
    const long = `The hedge ${"and the wall ".repeat(5)}`;
    expect(new Set(termsOf(long))).toEqual(new Set(["hedg", "wall"]));
  });
});

describe("the words of a name", () => {
  const inName = (name: string): Set<string> => new Set(wordsOfName(name).map(({ term }) => term));

  test("are its parts, and the references in it", () => {
    const found = inName("Site plans_PA-2026-0042-v2.pdf");
    for (const each of ["site", "plan", "pa", "2026", "0042", "pa-2026-0042"]) {
      expect(found).toContain(each);
    }
    expect(inName("the-and.of")).toEqual(new Set());
    expect(inName("公園改修-PA-2026-0042.pdf")).toEqual(inName("公園 改修 PA-2026-0042.pdf"));
  });

  test("take linear time for a long name", () => {
    expect(inName("a1-".repeat(100_000)).size).toBeLessThan(10);
  });

  test.each(["minutes-2026.pdf", "planning-statement-for-18-quay-street-2026-11.pdf"])(
    "%s: also those of a query with it or without its ending",
    (name) => {
      const found = inName(name);
      for (const query of [name, name.replace(".pdf", ""), "2026", "pdf"]) {
        const asked = askedTerms(query, ["en"]).map(({ term }) => term);
        expect(asked.filter((term) => !found.has(term))).toEqual([]);
      }
    },
  );
});
