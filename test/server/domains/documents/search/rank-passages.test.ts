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
  const terms = ["flood", "wall", "quay"];
  const counts = { all: 4, having: [2, 3, 3] };
  const order = rankPassages(found, terms, counts).map(
    ({ passage }) => `${passage.documentId}${passage.ordinal}`,
  );
  expect(order).toEqual(["a0", "a1", "b0", "c0"]);
  expect(rankPassages(found.toReversed(), terms, counts).map((each) => each.score)).toEqual(
    rankPassages(found, terms, counts).map((each) => each.score),
  );
});
