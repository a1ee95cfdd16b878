import { describe, expect, it } from "vitest";
import { quotedLines } from "#ui/kit/text/quoted-text.ts";

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

  it("looks for it when the span is wrong, and says when it is not there", () => {
    expect(quoted(quotedLines(text, 80, { quote, span: { start: 0, end: 5 } }).lines)).toHaveLength(
      2,
    );
    expect(quotedLines(text, 80, { quote: "never said" }).quoteLine).toBeUndefined();
  });

  it("can't be misled by marks in the text itself", () => {
    const shown = quotedLines("a\u2060b\u2061 c", 80, { quote: "c" });
    expect(quoted(shown.lines)).toEqual(["c"]);
  });
});
