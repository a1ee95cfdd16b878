import { describe, expect, it } from "vitest";
import { highlightSpans, scoreWords } from "#ui/search/words.ts";
import { textWidth } from "#ui/kit/text/text-layout.ts";

function spansOf(text: string, matches: readonly (readonly [number, number])[], width = 60) {
  const places = matches.map(([start, end]) => ({ start, end }));
  return highlightSpans({ property: "address", text, matches: places }, width);
}

function marked(text: string, matches: readonly (readonly [number, number])[], width?: number) {
  return spansOf(text, matches, width)
    .slice(1)
    .map((span) => (span.as === "quote" ? `[${span.text}]` : span.text))
    .join("");
}

describe("a match in a record", () => {
  it.each([
    ["18 Quay Street", [[3, 7]], "18 [Quay] Street"],
    [
      "Quay, Quay",
      [
        [0, 4],
        [6, 10],
      ],
      "[Quay], [Quay]",
    ],
    // Offsets count control characters, which are removed afterwards.
    ["\u001b[31mred\u001b[0m Quay", [[13, 17]], "red [Quay]"],
    ["a\u202eQuay", [[2, 6]], "a[Quay]"],
    ["日本 Quay", [[3, 7]], "日本 [Quay]"],
    // Spans that make no sense are ignored.
    [
      "Quay",
      [
        [3, 2],
        [0, 99],
        [-4, 1],
      ],
      "Quay",
    ],
    [
      "Quay",
      [
        [0, 3],
        [1, 4],
      ],
      "[Qua]y",
    ],
    ["", [], ""],
  ] as const)("is marked in %j", (text, matches, words) => {
    expect(marked(text, matches)).toBe(words);
  });

  it.each([20, 40, 78])("can be seen in %i columns", (width) => {
    const text = `${"far away ".repeat(40)}Quay${" and on".repeat(40)}`;
    const spans = spansOf(text, [[360, 364]], width);
    expect(spans.reduce((sum, span) => sum + textWidth(span.text), 0)).toBeLessThanOrEqual(width);
    expect(spans.find((span) => span.as === "quote")?.text).toBe("Quay");
  });

  it.each([
    [0.03278, "0.033"],
    [12.345, "12.3"],
    [1234.5, "1235"],
    [null, "–"],
    [undefined, "–"],
    [Number.NaN, "–"],
  ])("scores %d as %s", (score, words) => {
    expect(scoreWords(score)).toBe(words);
  });
});
