import { expect, test } from "vitest";
import { AskedForms, askedForms, tellingWords } from "#server/text/passages/asked-forms.ts";

const formsOf = (question: string, text: string, language: "de" | "en" | "tr" = "en") => {
  const forms = new AskedForms(
    askedForms(question, [language], () => undefined),
    [language],
  );
  return [...forms.in(tellingWords(text, [language]))];
};

test.each([
  ["de", "Genehmigung", "Genehmigungen", 0.9],
  ["de", "Genehmigung", "Genehmigungsakte", 0.7],
  ["de", "Schmalspurbahnen", "Bahnen", 0.5],
  ["de", "Genehmigung", "Baugenehmigung", 0.5],
  ["de", "Rate", "Temperate", undefined],
  ["en", "ration", "separation", undefined],
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
      ["genehmigung", { forms: [], isName: false, isAsking: false }],
      ["wand", { forms: [], isName: false, isAsking: false }],
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
    new Map([["bicycl", { forms: [], isName: false, isAsking: false }]]),
  );
});

test("a doubtful correction counts less, next to the forms of the word itself", () => {
  const correction = { word: "carsısı", weight: 0.4 };
  const forms = new AskedForms(askedForms("marşını", ["tr"], () => correction));
  expect([...forms.in(tellingWords("çarşısı", ["tr"]))]).toEqual([["marsını", 0.4]]);
  expect([...forms.in(tellingWords("marşı", ["tr"]))]).toEqual([["marsını", 0.7]]);
});

const asks = (question: string, languages: readonly ("de" | "en" | "sv" | "tr")[]) => {
  const asked = [...askedForms(question, languages, () => undefined)];
  return {
    names: asked.flatMap(([term, { isName }]) => (isName === true ? [term] : [])),
    isMarked: asked.every(([, { isName }]) => isName !== undefined),
    asking: asked.flatMap(([term, { isAsking }]) => (isAsking ? [term] : [])),
  };
};

test.each([
  ["a word with a capital letter", "When did Luther's writings reach Italy?", ["luther", "italy"]],
  ["no first word of a sentence", "Fences: Gates of iron. Walls?", []],
  ["a name of another script", "Когда Лютер писал в Италию?", ["лютер", "италию"]],
  ["no word of a question in title case", "What Does The Harbour Cost?", []],
  ["none in small letters", "when did luther write to italy?", []],
  ["no noun of German", "Wann hat die Behörde den Antrag genehmigt?", []],
] as const)("names of a question: %s", (_, question, names) => {
  expect(asks(question, ["en"]).names).toEqual(names);
});

test("German and scripts without capital letters mark no names, which is no lack of names", () => {
  expect(asks("Wann hat die Behörde den Antrag genehmigt?", ["en"]).isMarked).toBe(false);
  expect(asks("متى كتب لوثر إلى إيطاليا؟", ["en"]).isMarked).toBe(false);
  expect(asks("when did luther write to italy?", ["en"]).isMarked).toBe(true);
});

test("a short question of a workspace with German texts has no names", () => {
  expect(asks("Antrag Baumfällung", ["de"]).names).toEqual([]);
  expect(asks("harbour Luther", ["en"]).names).toEqual(["luther"]);
});

test("words of questions carry no subject in the languages of the texts and the question", () => {
  expect(asks("Which document mentions Manning?", ["en"]).asking).toEqual(["document", "mention"]);
  // The Swedish word for "one" is the stem of a name.
  expect(asks("vad kan man göra här?", ["sv"]).asking).toContain("man");
  expect(asks("Bir Super Bowl'da kim oynadı?", ["en"]).asking).toContain("kim");
});

test("a degree that is asked for carries no subject", () => {
  expect(asks("How long is the wall?", ["en"]).asking).toEqual(["long"]);
  expect(asks("Is the long wall old?", ["en"]).asking).toEqual([]);
});

test("an ending that Turkish writes after an apostrophe is no word", () => {
  const terms = (text: string, language: "fr" | "tr") =>
    tellingWords(text, [language]).map(({ term }) => term);
  expect(terms("Luther'in 1911'de Ankara’ya", "tr")).toEqual(["luther", "1911", "ankara"]);
  expect(terms("l'eau d'amont", "fr")).toContain("eau");
});
