import { expect, test } from "vitest";
import { likelinessOf } from "#server/text/extraction/formats/likely-text.ts";

test.each([
  "Grüße aus Köln, naïve façade",
  "привет мир",
  "┌──┐ box",
  "it’s 5° – “quoted”",
  "plain",
])("%s has nothing misplaced", (text) => {
  expect(likelinessOf(text).misplaced).toBe(0);
});

test.each(["caf‚ cl”ture", "GrüÃŸe", "œ120 and œ99", "KöПn", "a\u0081b"])(
  "%s was decoded with a wrong charset",
  (text) => {
    const { misplaced, worth } = likelinessOf(text);
    expect(misplaced).toBeGreaterThan(0);
    expect(worth).toBeLessThan(0.5);
  },
);

test("only a part of a long text is judged", () => {
  const long = "ü ".repeat(10_000);
  expect(likelinessOf(long).judged).toBe(7_999);
  expect(likelinessOf("").worth).toBe(0);
});
