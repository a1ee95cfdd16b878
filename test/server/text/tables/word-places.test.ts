import { join } from "node:path";
import { expect, test } from "vitest";
import { extractText } from "#server/text/extraction/extract-text.ts";
import { arePlaces, placesOf, type PageWords } from "#server/text/tables/word-places.ts";
import { extract, makePdf, pdfLines } from "../extraction/formats/build-files.ts";

/** The words as they are in the text, with their boxes. */
function wordsOf(text: string, { places }: PageWords) {
  return Array.from({ length: places.length / 6 }, (_, at) => {
    const [start = 0, length = 0, x = 0, y = 0, width = 0, height = 0] = places.slice(at * 6);
    return { word: text.slice(start, start + length), x, y, width, height };
  });
}

test("every word of a printed page has its box, also in tables that were drawn by cells", async () => {
  const path = join(import.meta.dirname, "files/fees.pdf");
  const [page] = (await extractText(path, { filename: "fees.pdf" })).pages;
  const { text = "", words = { width: 0, height: 0, places: [] } } = page ?? {};
  const found = wordsOf(text, words);
  expect(found.map(({ word }) => word)).toEqual(text.trim().split(/\s+/));
  expect(words).toMatchObject({ width: 612, height: 792 });
  const at = (word: string) => found.find((each) => each.word === word);
  const [label, value, below] = [at("Crane"), at("19,980"), at("9,125")];
  expect(value?.y).toBe(label?.y);
  expect(value?.x).toBeGreaterThan((label?.x ?? 0) + 300);
  expect(below?.y).toBeGreaterThan(value?.y ?? 0);
  for (const { x, y, width, height } of found) {
    expect(x >= 0 && y >= 0 && x + width <= 612 && y + height <= 792).toBe(true);
  }
});

test("a word that a line's end has broken is one word in the text and two boxes", async () => {
  const lines = [
    "The committee has granted the permission for the harbour and its sur-",
    "roundings, which the council has asked for in its letter of the spring.",
  ];
  const [page] = (await extract(makePdf([pdfLines(lines)]), { filename: "a.pdf" })).pages;
  const { text = "", words = { width: 0, height: 0, places: [] } } = page ?? {};
  expect(text).toContain("its surroundings, which");
  const found = wordsOf(text, words);
  const broken = found.filter(({ word }) => word === "sur" || word === "roundings,");
  expect(broken).toHaveLength(2);
  expect(broken[1]?.y).toBe((broken[0]?.y ?? 0) + 14);
});

test("words that the text lacks are left out, and the next ones are still found", () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  const words = ["one", "lost", "two"].map((text) => ({ text, ...box }));
  const layout = { width: 10, height: 10, words };
  expect(placesOf("one two", layout).places).toEqual([0, 3, 1, 2, 3, 4, 4, 3, 1, 2, 3, 4]);
});

test.each([
  ["a word beyond the text", [5, 3, 0, 0, 1, 1]],
  ["half a word", [0, 3, 0]],
  ["no number", [0, 3, 0, 0, 1, "1"]],
  ["a negative start", [-1, 3, 0, 0, 1, 1]],
  ["a fraction of a letter", [0.5, 1, 0, 0, 1, 1]],
  ["an infinite box", [0, 3, 0, 0, Infinity, 1]],
])("%s from a child is refused", (_name, places) => {
  expect(arePlaces(places, 7)).toBe(false);
  expect(arePlaces([0, 3, 0.5, -2, 1, 1], 7)).toBe(true);
});
