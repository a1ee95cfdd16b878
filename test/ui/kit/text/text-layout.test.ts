import { describe, expect, it } from "vitest";
import { clipMiddle, clipText, fitText, wrapText } from "#ui/kit/text/text-layout.ts";

describe("text in a width", () => {
  it("is padded or cut with an ellipsis", () => {
    expect(fitText("abc", 5)).toBe("abc  ");
    expect(fitText("abcdef", 5)).toBe("abcd…");
    expect(fitText("日本語", 5)).toBe("日本…");
    expect(fitText("日本語", 4)).toBe("日… ");
    expect(clipText("abcdef", 4)).toBe("abc…");
  });

  it("loses its middle where both ends matter", () => {
    expect(clipMiddle("/home/ada/documents/plans.pdf", 15)).toBe("/home/a…ans.pdf");
  });

  it("is wrapped and harmless", () => {
    expect(wrapText("one two \x1b[31mthree", 8)).toEqual(["one two ", "three"]);
    expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapText("one two   ", 7)).toEqual(["one two"]);
    expect(wrapText("  one two\n\n  three", 8)).toEqual(["  one ", "two", "", "  three"]);
    expect(wrapText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    // Five and six columns: a terminal gives a vowel sign next to a letter its own column.
    expect(wrapText("हिन्दी परीक्षण", 6)).toEqual(["हिन्दी ", "परीक्षण"]);
    expect(fitText("परीक्षण", 7)).toBe("परीक्षण ");
    expect(fitText("परीक्षण", 5)).toBe("परी… ");
    expect(clipMiddle("हिन्दी परीक्षण", 8)).toBe("हि…क्षण");
  });
});
