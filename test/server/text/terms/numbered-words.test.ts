import fc from "fast-check";
import { expect, test } from "vitest";
import { numberedTexts, WordNumbers } from "#server/text/terms/numbered-words.ts";
import { wordsOfText } from "#server/text/terms/text-words.ts";

/** Texts of several languages and scripts, with references and compounds. */
const pieces = [
  "The application was refused because the access is too narrow",
  "the THE The application APPLICATION",
  "Der Bauantrag wurde im Mai abgelehnt, weil die Zufahrt nicht breit genug ist",
  "La solicitud fue rechazada porque el acceso no es lo suficientemente ancho",
  "Başvuru reddedildi çünkü yol yeterince geniş değil",
  "PA-2026-0042 pa-2026-0042 HW/2026/3317, file-name.pdf x’s",
  "東京都 桜通り データ",
  "Согласование مدرسة ไทย हिन्दी",
  "naïve café e\u0301 \ud800 😀 İ ß ς",
  "Instalaciones deportivas",
  "x".repeat(65),
  "1 2 a B ... -- ''",
];

test("the numbers of a text stand for its words, whatever was numbered before", () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 12 })), {
      maxLength: 6,
    })
    .map((parts) => parts.join(" ").normalize("NFC"));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 4 }), (written) => {
      const { texts, numbers } = numberedTexts(written);
      for (const [at, each] of written.entries()) {
        const expected = wordsOfText(each).map(({ term, forms }) => ({ term, forms }));
        const words = texts[at] ?? new Int32Array();
        expect(Array.from(words, (word) => numbers.word(word))).toEqual(expected);
        const stems = expected.map(({ term, forms }) => forms.at(-1) ?? term);
        const own = numbers.stemsOf(words);
        expect(new Set(own).size).toBe(new Set(stems).size);
        for (const [place, { forms }] of expected.entries()) {
          for (const form of forms) expect(numbers.having(form)).toContain(words[place]);
          expect(own[place] === own[0]).toBe(stems[place] === stems[0]);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("thousands of words keep their numbers while their tables grow", () => {
  const numbers = new WordNumbers();
  const text = Array.from({ length: 9_000 }, (_, at) => `word${at.toString(36)}`).join(" ");
  const first = numbers.wordsOf(text);
  expect(new Set(first).size).toBe(9_000);
  expect(numbers.wordsOf(text.toUpperCase())).toEqual(first);
  expect(numbers.size).toBe(9_000);
});

test("words are numbered again after many, and the numbers before stay right", () => {
  const before = numberedTexts(["the quays of a harbour"]);
  const words = (from: number): string =>
    Array.from({ length: 30_000 }, (_, at) => `n${(from + at).toString(36)}`).join(" ");
  const many = [0, 1, 2].map((round) => numberedTexts([words(round * 30_000)]).numbers);
  expect(new Set(many).size).toBe(2);
  const [quays] = before.texts;
  expect(Array.from(quays ?? [], (word) => before.numbers.word(word).term)).toContain("quay");
});
