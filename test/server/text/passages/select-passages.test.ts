import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkPages } from "#server/text/passages/chunk-pages.ts";
import { rarity } from "#server/text/search/ranking.ts";
import { selectPassages, verifyQuote } from "#server/text/passages/select-passages.ts";
import type { PassageSource } from "#server/text/passages/sentence-evidence.ts";

const statement = [
  "Planning statement PA-2026-0042, 18 Quay Street",
  "Applicant: Harbour Lofts Ltd\nDecision due: 18 December 2026",
  "Parking",
  "The plan provides 24 parking spaces in the rear yard. Three of them are accessible. " +
    "There is a store for 30 bicycles.",
  "The ridge stays at its present height of 11.4 metres. Works would take 14 months.",
].join("\n\n");

/** Search results for one document of one page. */
function candidatesOf(
  text: string,
  more: Partial<PassageSource> = {},
): { chunk: PassageSource; score: number }[] {
  const chunks = chunkPages([{ number: 1, text }], { targetCharacters: 200 });
  return chunks.map((chunk, index) => ({ chunk: { ...chunk, ...more }, score: 1 / (index + 1) }));
}

const ask = (question: string, text = statement): string[] =>
  selectPassages(question, candidatesOf(text, { documentId: "d" })).map((each) => each.quote);

describe("selectPassages", () => {
  test.each([
    [
      "How many parking spaces are provided?",
      "The plan provides 24 parking spaces in the rear yard.",
    ],
    ["When is the decision on PA-2026-0042 due?", "Decision due: 18 December 2026"],
    ["Who is the applicant?", "Applicant: Harbour Lofts Ltd"],
    ["How high is the ridge?", "The ridge stays at its present height of 11.4 metres."],
    ["How long would the works take?", "Works would take 14 months."],
    ["Where are bicycles stored?", "There is a store for 30 bicycles."],
  ])("%s", (question, answer) => {
    expect(ask(question)[0]).toBe(answer);
  });

  test.each([
    ["a question about something else", "What is the capital of France?"],
    ["a question of stop words only", "What about it, and why?"],
    ["a question that shares one word of many", "Which horse won the race at the parking meeting?"],
    ["a reference that the documents don't name", "When is the decision on PA-2026-9999 due?"],
    ["no question at all", " "],
  ])("gives nothing for %s", (_, question) => {
    expect(ask(question)).toEqual([]);
  });

  const park =
    "中央公園の改修計画\n\n中央公園の改修工事は令和八年四月に始まります。工事の費用は三億円です。" +
    "公園の池は埋め立てません。\n担当課：公園緑地課";
  test.each([
    ["工事の費用はいくらですか", "工事の費用は三億円です。"],
    ["池は埋め立てますか", "公園の池は埋め立てません。"],
    ["担当課はどこですか", "担当課：公園緑地課"],
    ["犬は好きですか", undefined],
  ])("%s", (question, answer) => {
    expect(ask(question, park)[0]).toBe(answer);
  });

  const letters: Readonly<Record<string, string>> = {
    de:
      "Bescheid\n\nDie Baugenehmigung wurde am 3. März 2026 erteilt. Die Gebühren betragen 293 Euro. " +
      "Auf dem Grundstück stehen zwei alte Linden. Der Bauherr trägt die Kosten der Vermessung.",
    ru:
      "Решение\n\nРазрешение на строительство выдано 3 марта 2026 года. Размер сбора составляет " +
      "293 евро. На участке растут две старые липы. Расходы на съёмку несёт застройщик.",
    tr:
      "Karar\n\nYapı ruhsatı 3 Mart 2026 tarihinde verildi. Harç tutarı 293 avrodur. " +
      "Arsada iki yaşlı ıhlamur ağacı bulunuyor. Ölçüm masraflarını yüklenici karşılar.",
  };
  test.each([
    ["de", "Wie hoch ist die Gebühr?", "Die Gebühren betragen 293 Euro."],
    ["de", "Wer trägt die Vermessungskosten?", "Der Bauherr trägt die Kosten der Vermessung."],
    ["de", "Welche Farbe hat der Zaun des Nachbarn?", undefined],
    ["ru", "Какого размера сборы?", "Размер сбора составляет 293 евро."],
    ["ru", "Кто оплачивает расходы на съёмку?", "Расходы на съёмку несёт застройщик."],
    ["ru", "Какого цвета забор соседа?", undefined],
    ["tr", "Harcın tutarı ne kadar?", "Harç tutarı 293 avrodur."],
    ["tr", "Ölçümün masraflarını kim karşılıyor?", "Ölçüm masraflarını yüklenici karşılar."],
    ["tr", "Komşunun çiti ne renk?", undefined],
  ])("%s: %s", (language, question, answer) => {
    const known = { rarities: new Map(), rarest: rarity(1, 5), corrections: new Map() };
    const candidates = candidatesOf(letters[language] ?? "", { documentId: "d" });
    expect(selectPassages(question, candidates, { known })[0]?.quote).toBe(answer);
  });

  test("a word that no passage has is no reason to decline", () => {
    const asked = "How many parking spaces will approximately be provided?";
    expect(ask(asked)[0]).toBe("The plan provides 24 parking spaces in the rear yard.");
  });

  test("a corrected word counts as if it were spelt so", () => {
    const known = {
      rarities: new Map([["bicycl", 2]]),
      rarest: 2,
      corrections: new Map([["bicicl", "bicycl"]]),
    };
    const candidates = candidatesOf(statement, { documentId: "d" });
    const [best] = selectPassages("Where are bicicles?", candidates, { known });
    expect(best?.quote).toBe("There is a store for 30 bicycles.");
  });

  test("a doubtful correction alone is no evidence for an answer", () => {
    const known = {
      rarities: new Map([["secret", 4]]),
      rarest: 4,
      corrections: new Map([["decnet", "secret"]]),
    };
    const text = "Education became the secret of growth. The wall is high.";
    const candidates = candidatesOf(text, { documentId: "d" });
    expect(selectPassages("What is DECnet?", candidates, { known })).toEqual([]);
  });

  test("a doubtful correction completes no question of a frequent word", () => {
    const known = {
      rarities: new Map([
        ["prim", 1.5],
        ["twin", 4],
        ["win", 4],
      ]),
      rarest: 4,
      corrections: new Map([["twin", "win"]]),
    };
    const text = "The prime minister hopes to win the vote of the house. The wall is high.";
    const answer = (asked: string) =>
      selectPassages(asked, candidatesOf(text, { documentId: "d" }), { known })[0]?.quote;
    expect(answer("What is a twin prime?")).toBeUndefined();
    expect(answer("Which prime minister hopes to win?")).toContain("to win the vote");
  });

  test("an answer needs more evidence, the more words the documents lack", () => {
    const words = ["harbour", "wall", "zeppelin", "quaestor", "turbine"];
    const known = {
      rarities: new Map(words.map((word) => [word, 4])),
      rarest: 4,
      corrections: new Map<string, string>(),
    };
    const text = "The wall of the harbour is high. A path leads to the park.";
    const answer = (asked: string) =>
      selectPassages(asked, candidatesOf(text, { documentId: "d" }), { known })[0]?.quote;
    const first = "The wall of the harbour is high.";
    expect(answer("How high is the harbour wall?")).toBe(first);
    expect(answer("How high is the harbour wall of the turbine?")).toBe(first);
    expect(answer("Which turbine of the harbour has a zeppelin and a quaestor?")).toBeUndefined();
  });

  const known = (rarities: Readonly<Record<string, number>>) => ({
    rarities: new Map(Object.entries(rarities)),
    rarest: 4,
    corrections: new Map<string, string>(),
  });

  test("a passage that lacks a name of the question needs more evidence", () => {
    const rarities = { harbour: 3.2, wall: 3.2, luther: 4, franklin: 4 };
    const text = "The wall of the harbour is high. Franklin built it. A path leads to the park.";
    const answer = (question: string) =>
      selectPassages(question, candidatesOf(text, { documentId: "d" }), {
        known: known(rarities),
      })[0]?.quote;
    const first = "The wall of the harbour is high.";
    expect(answer("Which harbour has the wall of Luther?")).toBeUndefined();
    expect(answer("Which harbour has the wall of luther?")).toBe(first);
    expect(answer("Which harbour has the wall of Franklin?")).toContain(first);
  });

  test("a word of the asking that no passage has is no reason to decline", () => {
    const rarities = { notic: 2.1, premis: 2.1, along: 2.3 };
    const text =
      "You must put up a notice at the premises for 28 days. Trees stand along the street.";
    const corrections = new Map([["long", "along"]]);
    const [best] = selectPassages(
      "How long must the notice be up at the premises?",
      candidatesOf(text, { documentId: "d" }),
      { known: { ...known(rarities), corrections } },
    );
    expect(best?.quote).toBe("You must put up a notice at the premises for 28 days.");
  });

  test("the nearest passages have a word of the question, whatever else it has", () => {
    const rarities = { highway: 1.7, department: 4, repair: 2.3, capital: 4, reference: 2 };
    const corrections = new Map([["franc", "reference"]]);
    const text =
      "The highway authority raises no objection. A path leads to the park. reference, summary";
    const near = (question: string) =>
      selectPassages(question, candidatesOf(text, { documentId: "d" }), {
        known: { ...known(rarities), corrections },
        isNearest: true,
      }).map(({ quote }) => quote);
    const highways = "What does the highways department require?";
    expect(near(highways)).toEqual(["The highway authority raises no objection."]);
    expect(near("What is the capital of France?")).toEqual([]);
  });

  const walls = [
    "The harbour wall was built in 1911.",
    "It is a wall of 4 metres around the harbour.",
  ];
  test.each([
    [" ", walls.join(" ")],
    ["\n\n", walls[1]],
    [" Few people go there now. ", walls[1]],
  ])("a quote has the sentence next to it that has nearly its evidence: %j", (gap, quote) => {
    const text = `${walls.join(gap)}\n\nA path leads to the park.`;
    expect(ask("What is the harbour wall?", text)[0]).toBe(quote);
  });

  test("an answer needs more evidence where the best sentences are of many documents", () => {
    const others = "Few people came. The day was cold. It rained. The sun set.";
    const places = ["The wall of the harbour is old.", "The tower is old.", "The bridge is old."];
    const question = "Which wall of the harbour is near a tower and a bridge?";
    const answer = (of: readonly string[], weight: number) => {
      const rarities = new Map([
        ["harbour", weight],
        ["wall", weight],
        ["tower", 4],
        ["bridg", 4],
      ]);
      const candidates = of.flatMap((text, at) => candidatesOf(text, { documentId: `d${at}` }));
      const known = { rarities, rarest: 4, corrections: new Map<string, string>() };
      return selectPassages(question, candidates, { known })[0]?.quote;
    };
    const together = [places.join(` ${others} `), others];
    expect([2.5, 2.8].map((weight) => answer(together, weight))).toEqual([undefined, places[0]]);
    const scattered = places.map((place) => `${place} ${others}`);
    expect([4.5, 5].map((weight) => answer(scattered, weight))).toEqual([undefined, places[0]]);
  });

  test("an Arabic word counts with its article, conjunction and endings", () => {
    const text = "صدر الترخيص في مارس. وللمدينة حديقتان كبيرتان. رسوم الطلب مرتفعة.";
    expect(ask("كم حديقة في المدينة؟", text)[0]).toBe("وللمدينة حديقتان كبيرتان.");
  });

  test("the last part of a German compound counts for it", () => {
    const text =
      "Zwei alte Bahnen verkehren in den Bergen. Der Hafen hat einen Park und einen See.";
    const rarities = { schmalspurbahnen: 4, verkehren: 2 };
    const [first] = selectPassages("Wo verkehren Schmalspurbahnen?", candidatesOf(text), {
      known: known(rarities),
    });
    expect(first?.quote).toBe("Zwei alte Bahnen verkehren in den Bergen.");
  });

  test("the end of an English word is no part of a compound, next to texts in German", () => {
    const german = "Der Hafen und die Schleuse bleiben am Wochenende für alle Schiffe geschlossen.";
    const english = "The registration of the boats is open at the office of the harbour in March.";
    const asked = (question: string) =>
      selectPassages(
        question,
        [english, german].flatMap((text) => candidatesOf(text)),
        {
          known: known({ ration: 4, registration: 4, harbour: 1 }),
        },
      ).map(({ quote }) => quote);
    expect(asked("Which ration has the harbour?")).toEqual([]);
    expect(asked("Which registration has the harbour?")).toEqual([english]);
  });

  test("returns nothing without search results", () => {
    expect(selectPassages("How many parking spaces?", [])).toEqual([]);
  });

  test.each(["parking-response-18-quay-street.txt", "Parking response of 9 October 2026.pdf"])(
    "the words of a file's name tell what its sentences are about: %s",
    (context) => {
      const asked = "What does the parking response say about bicycles?";
      const candidates = candidatesOf(statement, { documentId: "d", context });
      expect(selectPassages(asked, candidates)[0]?.quote).toBe("There is a store for 30 bicycles.");
    },
  );
});

describe("selectPassages among several documents", () => {
  test("a reference within a file name counts for its document", () => {
    const text = "The hedge is kept. The wall is two metres high.";
    const asked = "How high is the wall of PA-2026-0042?";
    const about = (context: string) =>
      selectPassages(asked, candidatesOf(text, { documentId: "d", context }));
    expect(about("site-PA-2026-0042-plans.pdf")[0]?.quote).toBe("The wall is two metres high.");
    expect(about("site-PA-2026-0043-plans.pdf")).toEqual([]);
  });

  test("quotes the document that the question names, of two similar ones", () => {
    const other = candidatesOf("Decision due: 2 October 2026", {
      documentId: "other",
      context: "PA-2026-0041 The Old Granary",
    });
    const asked = candidatesOf("Decision due: 18 December 2026", {
      documentId: "asked",
      context: "PA-2026-0042 18 Quay Street",
    });
    const passages = selectPassages("When is the decision on PA-2026-0042 due?", [
      ...other,
      ...asked,
    ]);
    expect(passages.map((each) => [each.chunk.documentId, each.quote])).toEqual([
      ["asked", "Decision due: 18 December 2026"],
    ]);
  });

  test("quotes a sentence of two overlapping chunks once", () => {
    const chunk = { page: 1, start: 0, end: 29, text: "The fee is £293. It was paid." };
    const passages = selectPassages("What is the fee?", [
      { chunk: { ...chunk, documentId: "d" }, score: 2 },
      { chunk: { ...chunk, documentId: "d" }, score: 1 },
    ]);
    expect(passages.map((each) => each.quote)).toEqual(["The fee is £293."]);
  });

  test("returns at most the limit, best first, with scores between 0 and 1", () => {
    const text = Array.from(
      { length: 8 },
      (_, index) => `The fee of case ${index} is £${index}00.`,
    );
    const passages = selectPassages("What is the fee?", candidatesOf(text.join(" ")), { limit: 2 });
    expect(passages).toHaveLength(2);
    const scores = passages.map((each) => each.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  test("any question: quotes are verbatim and share a word with it", () => {
    const words = fc.constantFrom(
      "fee",
      "parking",
      "Street",
      "12",
      "PA-1-22",
      "is",
      "the",
      "due",
      "é🏛",
    );
    const text = fc.array(fc.oneof(words, fc.constantFrom(". ", "\n", "\n\n", "\t", ": ")), {
      maxLength: 120,
    });
    const question = fc.array(words, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), question, (texts, asked) => {
        const pages = texts.map((parts, index) => ({ number: index + 1, text: parts.join(" ") }));
        const candidates = chunkPages(pages, { targetCharacters: 100 }).map((chunk) => ({
          chunk: { ...chunk, documentId: "d" },
          score: 1,
        }));
        for (const passage of selectPassages(asked.join(" "), candidates, { limit: 5 })) {
          const source = pages[passage.page - 1]!.text;
          expect(verifyQuote(source, passage, passage.quote)).toBe(true);
          const quoted = passage.quote.toLowerCase();
          expect(asked.some((word) => quoted.includes(word.toLowerCase()))).toBe(true);
        }
      }),
    );
  });
});

describe("verifyQuote", () => {
  const text = "The fee is £293.";

  test.each([
    [{ start: 0, end: 7 }, "The fee", true],
    [{ start: 0, end: 16 }, text, true],
    [{ start: 1, end: 8 }, "The fee", false],
    [{ start: 0, end: 7 }, "the fee", false],
    [{ start: 0, end: 0 }, "", false],
    [{ start: 4, end: 2 }, "", false],
    [{ start: -3, end: 16 }, "", false],
    [{ start: 0, end: 99 }, text, false],
    [{ start: 0.5, end: 7 }, "The fee", false],
    [{ start: Number.NaN, end: 7 }, "The fee", false],
  ])("%j %s: %s", (span, quote, expected) => {
    expect(verifyQuote(text, span, quote)).toBe(expected);
  });
});
