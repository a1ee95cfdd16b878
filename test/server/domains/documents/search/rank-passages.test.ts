import { expect, test } from "vitest";
import { rankPassages } from "#server/domains/documents/search/rank-passages.ts";

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
  const terms = [
    ["flood", 1],
    ["wall", 0.5],
    ["quay", 0.5],
  ] as const;
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
  const order = rankPassages(found, [["park", 1]]).map(({ passage: { documentId } }) => documentId);
  expect(order).toEqual(["b", "a"]);
});
