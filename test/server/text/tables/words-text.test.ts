import { describe, expect, test } from "vitest";
import { placesOf } from "#server/text/tables/word-places.ts";
import { unsureOf, wordsTextOf } from "#server/text/tables/words-text.ts";

const page = (places: string): string => `{"width":595,"height":842,"places":[${places}]}`;

describe("the JSON of the places of words", () => {
  test("is kept as it is, with the number of its words", () => {
    const text = "one two";
    const words = ["one", "two"].map((word, at) => ({
      text: word,
      x: at * 20.35,
      y: -0.5,
      width: 1e21,
      height: 1e300,
    }));
    const json = JSON.stringify(placesOf(text, { width: 100, height: 50, words }));
    expect(wordsTextOf(json, text.length)).toEqual({ json, count: 2 });
    expect(wordsTextOf(page(""), 0)).toEqual({ json: page(""), count: 0 });
  });

  test("has the parts of a picture's text that are unsure, if they are in the text", () => {
    const words = ["one", "two", "six"].map((text, at) => {
      const isUnsure = at > 0 ? (true as const) : undefined;
      return { text, x: 0, y: 0, width: 9, height: 9, isUnsure };
    });
    const found = placesOf("one two six", { width: 9, height: 9, words, isRecognised: true });
    const json = JSON.stringify(found);
    expect(unsureOf(json)).toEqual([4, 7]);
    expect(wordsTextOf(json, 11)).toEqual({ json, count: 3 });
    expect(wordsTextOf(json, 10)).toBeNull();
    expect(unsureOf(json.replace("4,7", ""))).toEqual([]);
    for (const parts of ["4", "04,7", "4,7,", "-4,7", Array(301).fill("0,1").join()]) {
      expect(wordsTextOf(json.replace("4,7", parts), 11)).toBeNull();
    }
    for (const none of [page(""), null]) expect(unsureOf(none)).toBeUndefined();
  });

  test("has as many unsure parts as a page may have", () => {
    const words = Array.from({ length: 1_000 }, (_none, at) => {
      const isUnsure = at % 2 === 0 ? (true as const) : undefined;
      return { text: "one", x: 0, y: 0, width: 9, height: 9, isUnsure };
    });
    const text = words.map(({ text: word }) => word).join(" ");
    const json = JSON.stringify(placesOf(text, { width: 9, height: 9, words, isRecognised: true }));
    const unsure = unsureOf(json) ?? [];
    expect(unsure.length).toBe(600);
    expect((unsure.at(-2) ?? 0) + (unsure.at(-1) ?? 0)).toBe(998 * 4 + 3);
    expect(wordsTextOf(json, text.length)?.count).toBe(1_000);
  });

  test.each([
    ["a word after the end of its page", page("5,3,1,2,3,4")],
    ["a part of a word", page("0,3,1,2,3")],
    ["a word more", page("0,3,1,2,3,4,")],
    ["no number", page("0,3,1,2,3,null")],
    ["an endless number", page("0,3,1,2,3,1e+999")],
    ["a number of too many digits", page(`0,3,1,2,3,${"1".repeat(400)}`)],
    ["a leading zero", page("00,3,1,2,3,4")],
    ["a number without digits", page("0,3,1,2,3,-")],
    ["a point without digits", page("0,3,1,2,3,4.")],
    ["an exponent without digits", page("0,3,1,2,3,4e+")],
    ["a negative start", page("-1,3,1,2,3,4")],
    ["a part of a letter", page("0.5,3,1,2,3,4")],
    ["a space", page("0, 3,1,2,3,4")],
    ["more than its places", page("0,3,1,2,3,4").replace("}", ',"more":1}')],
    ["places twice", page('0,3,1,2,3,4],"places":[')],
    ["too many words", page(Array(10_001).fill("0,1,1,1,1,1").join())],
    ["a size with a sign", page("").replace("595", "-595")],
    ["another JSON", "[]"],
    ["a list instead of its text", [0, 3, 1, 2, 3, 4]],
  ])("is refused with %s", (_, json) => {
    expect(wordsTextOf(json, 7)).toBeNull();
  });
});
