import { describe, expect, test } from "vitest";
import type { AnswerSource } from "#server/domains/chat/answer-engine.ts";
import { CheckedSentences } from "#server/domains/chat/generative/checked-sentences.ts";
import { ModelError } from "#server/models/model-error.ts";
import { cutSentences } from "#server/domains/chat/generative/generative-answers.ts";

function source(text: string, documentId = "d"): AnswerSource {
  const place = { page: 3, start: 100, end: 100 + text.length, score: 1 };
  return { documentId, documentNumber: "DOC-1", filename: "a.txt", mediaType: "t", ...place, text };
}

const sources = [
  source("The wall is 2.4 metres high. It ends at the “old quay”.", "wall"),
  source("The committee decides on 18 December 2026.", "committee"),
  source(
    "Minutes of 5 June. Present: Sana Hussain, Tom Reed. The height is to be fixed.",
    "minutes",
  ),
];

function checked(...pieces: string[]) {
  const check = new CheckedSentences(sources, 0.5, new Set(["I can not answer this at all."]));
  const parts = pieces.flatMap((piece) => [...check.take(piece)]);
  return {
    text: parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    quotes: parts.flatMap((part) => (part.type === "citation" ? part.citation.quote : [])),
    reasons: parts.flatMap((part) => (part.type === "unsupported" ? part.data.reason : [])),
  };
}

describe("a sentence of an answer", () => {
  test("keeps the marker of a source that supports it, with a number from 1", () => {
    const { text, quotes } = checked(
      "The committee decides in December 2026 [2]. ",
      "The wall is 2.4 metres high. [1] ",
      "The committee decides on the 18 December [2].",
    );
    expect(text).toBe(
      "The committee decides in December 2026. [1] The wall is 2.4 metres high. [2] " +
        "The committee decides on the 18 December. [1]",
    );
    expect(quotes).toEqual([
      "The committee decides on 18 December 2026.",
      "The wall is 2.4 metres high.",
    ]);
  });

  test("loses a marker to a source that does not exist or says something else", () => {
    expect(checked("The wall is 2.5 metres high [1].").text).toBe(
      "The wall is 2.5 metres high. [?]",
    );
    expect(checked("Elephants are grey animals [1].").text).toBe("Elephants are grey animals. [?]");
    expect(checked("Elephants are grey animals [99].").reasons).toEqual([
      "The cited source does not have its words",
    ]);
  });

  test.each([
    ["The wall has a height of 2.4 m [1].", "[1]"],
    ["The height is 5 metres [3].", "[?]"],
  ])("needs each number next to its words: %s", (sentence, marker) => {
    expect(checked(sentence).text).toBe(sentence.replace(/ \[.\]\.$/, `. ${marker}`));
  });

  test("gets the source that has all of it, when it names none or a wrong one", () => {
    expect(checked("The wall is 2.4 metres high.").text).toBe("The wall is 2.4 metres high. [1]");
    expect(checked("The wall is 2.4 metres high [2].").quotes).toEqual([
      "The wall is 2.4 metres high.",
    ]);
  });

  test("may quote only what the source has word for word", () => {
    expect(checked("The wall ends at the “old quay” there [1].").text).toContain("[1]");
    const { text, reasons } = checked("The wall ends at the “ancient quay wall” there [1].");
    expect(text).toContain("[?]");
    expect(reasons).toEqual(["The cited source does not have its quotation"]);
  });

  test("without a claim needs no source", () => {
    expect(checked("Yes. ", "I can not answer this at all.").text).toBe(
      "Yes. I can not answer this at all.",
    );
  });
});

test("a table stays one: its head claims nothing, and markers are in the last cell of a row", () => {
  const { text, quotes, reasons } = checked(
    "| part of the site | size |\n",
    "|---|---:|\n",
    "| wall | 2.4 metres | [1]\n",
    "| wall | 2.5 metres [1] |\n\n",
    "| The committee decides on elephants and walls | grey |\n",
  );
  expect(text.split("\n")).toEqual([
    "| part of the site | size |",
    "|---|---:|",
    "| wall | 2.4 metres [1] |",
    "| wall | 2.5 metres [?] |",
    "",
    "| The committee decides on elephants and walls | grey [?] |",
    "",
  ]);
  expect(quotes).toEqual(["The wall is 2.4 metres high."]);
  expect(reasons).toHaveLength(2);
});

test("a long text without words is no answer", () => {
  expect(checked("-".repeat(80)).text).toBe("-".repeat(80));
  expect(() => checked("x".repeat(1_000))).toThrow(ModelError);
});

describe("streamed sentences", () => {
  test("are cut after their markers, and make up the text", () => {
    const text = "It is high. [1] It is long [2].\n\nAnd it is old. [1, 2] Is it";
    const { pieces, rest } = cutSentences(text);
    expect(pieces).toEqual(["It is high. [1] ", "It is long [2].\n\n", "And it is old. [1, 2] "]);
    expect(rest).toBe("Is it");
  });

  test("make up the text however it arrives", () => {
    const text = "Cllr. Okafor asked (see No. 4) for 2.4 m. [1]\n- One thing [2]\n- Another.";
    for (let size = 1; size < text.length; size += 1) {
      let rest = "";
      let whole = "";
      for (let at = 0; at < text.length; at += size) {
        const cut = cutSentences(rest + text.slice(at, at + size));
        whole += cut.pieces.join("");
        rest = cut.rest;
      }
      expect(whole + rest).toBe(text);
    }
  });
});
