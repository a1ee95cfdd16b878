import { expect, test } from "vitest";
import { AskedForms, askedForms, tellingWords } from "#server/text/passages/asked-forms.ts";

const formsOf = (question: string, text: string, language: "de" | "en" | "tr" = "en") => {
  const forms = new AskedForms(askedForms(question, [language], () => undefined));
  return [...forms.in(tellingWords(text, [language]))];
};

test.each([
  ["de", "Genehmigung", "Genehmigungen", 0.9],
  ["de", "Genehmigung", "Genehmigungsakte", 0.7],
  ["tr", "savunma", "savunmasından", 0.9],
  ["en", "كتاب", "والكتاب", 1],
  ["en", "المدينة", "المدير", undefined],
] as const)(
  "%s: a word of a question and a form of it: %s, %s",
  (language, asked, text, weight) => {
    expect(formsOf(asked, text, language)[0]?.[1]).toBe(weight);
  },
);

test("a text has each asked word with the weight of its best form", () => {
  const forms = new AskedForms(
    new Map([
      ["genehmigung", { forms: [] }],
      ["wand", { forms: [] }],
    ]),
  );
  const word = (term: string) => ({ term, forms: [term] });
  expect(forms.of(word("genehmigungen"))).toEqual([["genehmigung", 0.7]]);
  const words = ["genehmigungen", "genehmigung", "tür"].map(word);
  expect(forms.in(words)).toEqual(new Map([["genehmigung", 1]]));
});

test("a word that is surely misspelt is the correct one alone", () => {
  const correction = { word: "bicycl", weight: 1 };
  expect(askedForms("bicicles", ["en"], () => correction)).toEqual(
    new Map([["bicycl", { forms: [] }]]),
  );
});

test("a doubtful correction counts less, next to the forms of the word itself", () => {
  const correction = { word: "carsısı", weight: 0.4 };
  const forms = new AskedForms(askedForms("marşını", ["tr"], () => correction));
  expect([...forms.in(tellingWords("çarşısı", ["tr"]))]).toEqual([["marsını", 0.4]]);
  expect([...forms.in(tellingWords("marşı", ["tr"]))]).toEqual([["marsını", 0.7]]);
});
