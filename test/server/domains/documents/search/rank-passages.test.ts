import { expect, test } from "vitest";
import { rankPassages } from "#server/domains/documents/search/rank-passages.ts";
import { askedTerms } from "#server/text/search/asked-terms.ts";

/** The terms of a question with these rarities. */
function weighed(question: string, ...rarities: number[]) {
  return askedTerms(question, ["en"]).map((term, at) => ({ ...term, rarity: rarities[at] ?? 0 }));
}

test("both databases give the same ranking", () => {
  // Both databases must give the same passages, so the order is fixed here.
  const chunk = (documentId: string, ordinal: number, text: string) => ({
    documentId,
    documentNumber: "",
    filename: "",
    mediaType: "",
    title: null,
    label: null,
    ordinal,
    page: 1,
    start: 0,
    end: text.length,
    text,
    headings: "",
  });
  const found = [
    chunk("b", 0, "wall wall wall wall and nothing else of interest here"),
    chunk("a", 1, "the flood wall at the quay"),
    chunk("a", 0, "the flood wall at the quay"),
    chunk("c", 0, "quay"),
  ];
  const terms = weighed("flood wall quay", 1, 0.5, 0.5);
  const order = rankPassages(found, terms).map(
    ({ passage }) => `${passage.documentId}${passage.ordinal}`,
  );
  expect(order).toEqual(["a0", "a1", "b0", "c0"]);
  expect(rankPassages(found.toReversed(), terms).map((each) => each.score)).toEqual(
    rankPassages(found, terms).map((each) => each.score),
  );
});

test("headings count in addition to the text", () => {
  const passage = (documentId: string, headings: string) => ({
    documentId,
    documentNumber: "",
    filename: "",
    mediaType: "",
    title: null,
    label: null,
    ordinal: 0,
    page: 1,
    start: 0,
    end: 40,
    text: "A space for each dwelling, and parking on the street.",
    headings,
  });
  const found = [passage("a", "Noise"), passage("b", "Parking")];
  const order = rankPassages(found, weighed("parks", 1)).map(
    ({ passage: { documentId } }) => documentId,
  );
  expect(order).toEqual(["b", "a"]);
});
