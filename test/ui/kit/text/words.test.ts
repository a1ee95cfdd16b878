import { describe, expect, it } from "vitest";
import { failureLine, failureOf, needsSignIn } from "#ui/kit/answers/failure.ts";
import { fuzzyFind } from "#ui/kit/lists/fuzzy.ts";
import { listStart, moveBy, moveTo, pageBy, settle } from "#ui/kit/lists/list-cursor.ts";
import { quotedLines } from "#ui/kit/text/quoted-text.ts";
import { clipMiddle, clipText, fitText, wrapText } from "#ui/kit/text/text-layout.ts";
import { ageWords, durationWords, shareWords, sizeWords, valueWords } from "#ui/kit/text/words.ts";
import { CatalogError, PlatformError } from "#client/index.ts";
import { commandLine, clipboardSequence } from "#ui/kit/text/command-line.ts";

describe("values in words", () => {
  const now = Date.parse("2026-11-21T12:00:00.000Z");
  it.each([
    ["2026-11-21T11:59:30.000Z", "now"],
    ["2026-11-21T11:58:00.000Z", "2 min ago"],
    ["2026-11-21T09:00:00.000Z", "3 h ago"],
    ["2026-11-18T12:00:00.000Z", "3 d ago"],
    ["2026-01-02T12:00:00.000Z", "2026-01-02"],
    ["2027-01-02T12:00:00.000Z", "2027-01-02"],
    ["no time", "no time"],
    [undefined, ""],
  ])("the age of %s is %s", (time, words) => {
    expect(ageWords(time, now)).toBe(words);
  });

  it("formats sizes, durations, shares and values", () => {
    expect([0, 999, 1_000, 2_100_000, undefined].map(sizeWords)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "2.1 MB",
      "",
    ]);
    expect([900, 61_000, 7_200_000].map(durationWords)).toEqual(["0 s", "1 min", "2 h"]);
    expect(shareWords(0.868)).toBe("87 %");
    expect([null, true, 3, "x", ["a", 1], { a: 1 }].map(valueWords)).toEqual([
      "",
      "true",
      "3",
      "x",
      "a, 1",
      '{"a":1}',
    ]);
  });
});

describe("text in a width", () => {
  it("is padded or cut with an ellipsis", () => {
    expect(fitText("abc", 5)).toBe("abc  ");
    expect(fitText("abcdef", 5)).toBe("abcd…");
    expect(fitText("日本語", 5)).toBe("日本…");
    expect(fitText("日本語", 4)).toBe("日… ");
    expect(clipText("abcdef", 4)).toBe("abc…");
  });

  it("loses its middle if both ends matter", () => {
    expect(clipMiddle("/home/ada/documents/plans.pdf", 15)).toBe("/home/a…ans.pdf");
  });

  it("is wrapped and safe to draw", () => {
    expect(wrapText("one two \x1b[31mthree", 8)).toEqual(["one two ", "three"]);
    expect(wrapText("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrapText("one two   ", 7)).toEqual(["one two"]);
    expect(wrapText("  one two\n\n  three", 8)).toEqual(["  one ", "two", "", "  three"]);
    expect(wrapText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
    // Five and six columns on a terminal, where these vowel signs take a column.
    expect(wrapText("हिन्दी परीक्षण", 6)).toEqual(["हिन्दी ", "परीक्षण"]);
    expect(fitText("परीक्षण", 7)).toBe("परीक्षण ");
    expect(fitText("परीक्षण", 5)).toBe("परी… ");
    expect(clipMiddle("हिन्दी परीक्षण", 8)).toBe("हि…क्षण");
  });
});

describe("a failure in words", () => {
  it("has the catalog's words and the platform's details", () => {
    const error = new PlatformError(
      "E302",
      { details: "2 faults" },
      {
        status: 422,
        problem: {
          detail: "The record is not valid",
          errors: [{ pointer: "#/data/amount", detail: "must be a number" }],
        },
      },
    );
    expect(failureOf(error)).toEqual({
      code: "E302",
      message: "Validation failed: 2 faults",
      reason: "Validation failed: 2 faults",
      suggestion: "Correct the errors",
      status: 422,
      details: ["The record is not valid", "data › amount: must be a number"],
      faults: [{ steps: ["data", "amount"], detail: "must be a number" }],
    });
    expect(needsSignIn(failureOf(new CatalogError("E101", {})))).toBe(true);
  });

  it("has the fault of a filter once, with its place", () => {
    const fault = { pointer: "#/query/where/amount/$foo", detail: "is not a known operator" };
    const words = `${fault.pointer} ${fault.detail}`;
    const error = new PlatformError(
      "E302",
      { details: words },
      { status: 422, problem: { errors: [fault] }, hint: `${words}. Request 01a1-b2` },
    );
    expect(failureOf(error)).toMatchObject({
      message: "Validation failed",
      details: ["where › amount › $foo: is not a known operator", "Request 01a1-b2"],
    });
  });

  it("begins with the platform's words in one line", () => {
    const detail = "There is no space left";
    const error = new PlatformError(
      "E203",
      { details: `HTTP 507: ${detail}` },
      { status: 507, problem: { detail }, hint: "Request 01a1-b2" },
    );
    expect(failureOf(error).message).toBe(`Platform API error: HTTP 507: ${detail}`);
    expect(failureLine(error)).toBe(`E203 ${detail}: Request 01a1-b2`);
  });

  it("never shows the text of an unexpected error", () => {
    expect(failureLine(new Error("secret /path"))).toBe("An unexpected error occurred");
  });
});

describe("fuzzyFind", () => {
  const names = ["planning-application", "licence", "go to planning", "documents"];
  it("finds by letters in order, word starts first", () => {
    expect(fuzzyFind(names, "pa", (name) => name)[0]).toBe("planning-application");
    expect(fuzzyFind(names, "plan go", (name) => name)[0]).toBe("go to planning");
    expect(fuzzyFind(names, "zz", (name) => name)).toEqual([]);
    expect(fuzzyFind(names, "", (name) => name)).toEqual(names);
  });

  it("ranks a whole word before single letters", () => {
    const acts = ["sign out", "sign in by browser", "sign in, or another platform", "asking"];
    expect(fuzzyFind(acts, "sign in", (act) => act)).toEqual([
      "sign in by browser",
      "sign in, or another platform",
      "sign out",
    ]);
    expect(fuzzyFind(["basin", "in tray"], "in", (name) => name)).toEqual(["in tray", "basin"]);
  });
});

describe("a list's cursor", () => {
  it("keeps the selected row in view", () => {
    expect(moveBy(listStart, 5, 100, 4)).toEqual({ index: 5, top: 2 });
    expect(moveBy({ index: 5, top: 2 }, -4, 100, 4)).toEqual({ index: 1, top: 1 });
    expect(moveTo(listStart, 99, 100, 4)).toEqual({ index: 99, top: 96 });
    expect(pageBy(listStart, 1, 100, 10)).toEqual({ index: 9, top: 9 });
  });

  it("stays in a list that got shorter", () => {
    expect(settle({ index: 50, top: 45 }, 3, 10)).toEqual({ index: 2, top: 0 });
    expect(settle({ index: 50, top: 45 }, 0, 10)).toEqual({ index: 0, top: 0 });
  });
});

describe("quotedLines", () => {
  const text = "Before. The deadline is\n14 December. After.";
  const quote = "The deadline is\n14 December.";
  const quoted = (lines: ReturnType<typeof quotedLines>["lines"]) =>
    lines.flat().flatMap((span) => (span.as === "quote" ? [span.text] : []));

  it("marks the quote at its span", () => {
    const shown = quotedLines(text, 80, { quote, span: { start: 8, end: 8 + quote.length } });
    expect(quoted(shown.lines)).toEqual(["The deadline is", "14 December."]);
    expect(shown.quoteLine).toBe(0);
  });

  it("searches the quote if the span is wrong, and reports a missing one", () => {
    expect(quoted(quotedLines(text, 80, { quote, span: { start: 0, end: 5 } }).lines)).toHaveLength(
      2,
    );
    expect(quotedLines(text, 80, { quote: "never said" }).quoteLine).toBeUndefined();
  });

  it("ignores marks in the text itself", () => {
    const shown = quotedLines("a\u2060b\u2061 c", 80, { quote: "c" });
    expect(quoted(shown.lines)).toEqual(["c"]);
  });
});

describe("commands", () => {
  it("are quoted for a shell", () => {
    expect(
      commandLine(["resources", "list", "planning-application"], {
        where: `{"address":"it's"}`,
        sort: undefined,
      }),
    ).toBe(`svc resources list planning-application --where '{"address":"it'\\''s"}'`);
  });

  it("are copied as OSC 52", () => {
    expect(clipboardSequence("é")).toBe("\x1b]52;c;w6k=\x07");
  });
});
