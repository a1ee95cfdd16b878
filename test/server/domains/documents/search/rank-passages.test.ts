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
