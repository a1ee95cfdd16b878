import { describe, expect, it } from "vitest";
import {
  TranscriptLines,
  citationWords,
  citedText,
  settledLength,
  type Message,
} from "#ui/chat/transcript.ts";

function message(part: Partial<Message>): Message {
  return { id: 1, role: "assistant", text: "", citations: [], status: "complete", ...part };
}

function textOf(messages: readonly Message[], width = 60, chosen?: number): string[] {
  return new TranscriptLines()
    .view(messages, width, false, chosen)
    .lines.map((line) => line.map((span) => span.text).join(""));
}

const citation = {
  id: "1",
  documentId: "d",
  filename: "plans.pdf",
  page: 2,
  quote: "The roof\nis slate.",
};

describe("settledLength", () => {
  it("ends at the last blank line outside a fence", () => {
    expect(settledLength("one\n\ntwo")).toBe(5);
    expect(settledLength("one")).toBe(0);
    expect(settledLength("```\ncode\n\nmore")).toBe(0);
    expect(settledLength("```\ncode\n```\n\nafter")).toBe(14);
  });
});

describe("citedText", () => {
  it("has the quote and where it is", () => {
    const numbered = { ...citation, documentNumber: "DOC-2026-000042" };
    expect(citedText(numbered)).toBe("“The roof is slate.” (plans.pdf p. 2, DOC-2026-000042)");
    expect(citedText(citation)).toBe("“The roof is slate.” (plans.pdf p. 2)");
  });
});

describe("a transcript", () => {
  it("has a heading above passages that may not answer a question", () => {
    const declined = { text: "No passage was found.", citations: [citation], isNear: true };
    expect(textOf([message(declined)])).toEqual([
      "Assistant",
      "  No passage was found.",
      "  The nearest passages, which may not answer it:",
      "  [1] plans.pdf p. 2 “The roof is slate.”",
    ]);
  });

  it("shows who speaks, the answer, its sources and who answered", () => {
    expect(
      textOf([
        message({ role: "you", text: "What is the roof made of?" }),
        message({ id: 2, text: "Slate [1].", citations: [citation], note: "extractive" }),
      ]),
    ).toEqual([
      "You",
      "  What is the roof made of?",
      "",
      "Assistant  extractive",
      "  Slate [1].",
      "  [1] plans.pdf p. 2 “The roof is slate.”",
    ]);
  });

  it("says that an answer was cut off, stopped or failed", () => {
    expect(textOf([message({ text: "Half", status: "incomplete" })]).at(-1)).toContain("cut off");
    expect(textOf([message({ text: "Half", status: "stopped" })]).at(-1)).toBe("  ⊘ stopped");
    expect(textOf([message({ status: "failed", note: "E203 no" })]).at(-1)).toBe("  ✗ E203 no");
  });

  it("knows on which line each source stands, and marks the chosen one", () => {
    const view = new TranscriptLines().view(
      [message({ text: "a", citations: [citation, { ...citation, id: "2" }] })],
      60,
      false,
      1,
    );
    expect(view.citations.map((place) => place.line)).toEqual([2, 3]);
    expect(view.lines[3]?.some((span) => span.as === "selected")).toBe(true);
    expect(view.lines[2]?.some((span) => span.as === "selected")).toBe(false);
  });

  it("draws a growing answer as the finished one in the end", () => {
    const text =
      "First **part**.\n\n- one\n- two\n\n```js\nlet x;\n\nlet y;\n```\n\nLast part [1].";
    const growing = new TranscriptLines();
    for (let end = 1; end < text.length; end += 3) {
      growing.view(
        [message({ text: text.slice(0, end), status: "streaming" })],
        40,
        false,
        undefined,
      );
    }
    const grown = growing.view([message({ text })], 40, false, undefined).lines;
    const fresh = new TranscriptLines().view([message({ text })], 40, false, undefined).lines;
    const visible = (lines: typeof grown) =>
      lines
        .map((line) =>
          line
            .map((span) => span.text)
            .join("")
            .trim(),
        )
        .filter((line) => line !== "");
    expect(visible(grown)).toEqual(visible(fresh));
  });

  it("wraps again when the width changes", () => {
    const transcript = new TranscriptLines();
    const messages = [message({ text: "word ".repeat(30) })];
    const narrow = transcript.view(messages, 30, false, undefined).lines.length;
    expect(transcript.view(messages, 120, false, undefined).lines.length).toBeLessThan(narrow);
  });

  it("names a source by what is known of it", () => {
    expect(citationWords(citation)).toBe("plans.pdf p. 2");
    expect(citationWords({ id: "1", documentId: "d", documentNumber: "DOC-1", quote: "" })).toBe(
      "DOC-1",
    );
  });
});
