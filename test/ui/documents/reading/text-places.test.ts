import { expect, it } from "vitest";
import { headingAt, headingsOf, mostPlaces, placesOf } from "#ui/documents/reading/text-places.ts";

const pages = [
  { page: 1, text: "1 Introduction\n\nThe Quay\nStreet plan.\nSee quay street again." },
  { page: 2, text: "SITE AND CONTEXT\n2.1 Access\n3 cars were seen.\nPA-2026-0042 WAS OPEN 2026" },
];

it("finds a text across line ends and in any case, with the words around it", () => {
  const places = placesOf(pages, "quay street");
  expect(places.map(({ page, quote }) => [page, quote])).toEqual([
    [1, "Quay\nStreet"],
    [1, "quay street"],
  ]);
  const [first] = places;
  expect(first?.words).toBe("1 Introduction The Quay Street plan. See quay street again.");
  expect(pages[0]?.text.slice(first?.span.start, first?.span.end)).toBe("Quay\nStreet");
  expect(placesOf(pages, "(quay")).toEqual([]);
  expect(placesOf([{ page: 1, text: "a".repeat(500) }], "a")).toHaveLength(mostPlaces);
});

it("takes numbered lines and capitals as headings", () => {
  expect(headingsOf(pages).map(({ page, words }) => [page, words])).toEqual([
    [1, "1 Introduction"],
    [2, "SITE AND CONTEXT"],
    [2, "  2.1 Access"],
  ]);
});

it.each([
  [1, "1 Introduction"],
  [2, "SITE AND CONTEXT"],
  [7, "  2.1 Access"],
  [0, undefined],
])("begins the headings on page %i at %s", (page, words) => {
  expect(headingAt(headingsOf(pages), page)?.words).toBe(words);
});
