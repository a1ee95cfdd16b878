import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitSentences } from "#server/text/passages/sentences.ts";

const textsOf = (text: string): string[] => splitSentences(text).map((each) => each.text);

describe("splitSentences", () => {
  test("abbreviations, numbers and initials end no sentence", () => {
    expect(
      textsOf(
        "Mr. Tate of No. 9 St. James Road paid £1.50. Dr. A. Fenn didn't! Why not? " +
          "See e.g. para. 3.",
      ),
    ).toEqual([
      "Mr. Tate of No. 9 St. James Road paid £1.50.",
      "Dr. A. Fenn didn't!",
      "Why not?",
      "See e.g. para. 3.",
    ]);
  });

  test("the number of a list item belongs to its sentence", () => {
    expect(
      textsOf("1. Work must begin by May. It must end.\n2. Samples must be approved."),
    ).toEqual(["1. Work must begin by May.", "It must end.", "2. Samples must be approved."]);
  });

  test("a wrapped line ends no sentence", () => {
    const text =
      "The highway authority has considered the application and the transport note\n" +
      "of 2 September 2026. It raises no objection, subject to the conditions below.";
    expect(textsOf(text)).toEqual([
      "The highway authority has considered the application and the transport note\n" +
        "of 2 September 2026.",
      "It raises no objection, subject to the conditions below.",
    ]);
  });

  test("labels, rows, items and short lines are separate", () => {
    expect(
      textsOf("Chair: Ruth Calloway\nClerk: Iris Kemp\nBand\tFee\nA\t£70\n- one\n- two"),
    ).toEqual([
      "Chair: Ruth Calloway",
      "Clerk: Iris Kemp",
      "Band\tFee",
      "A\t£70",
      "- one",
      "- two",
    ]);
  });

  test("an empty line always ends a sentence", () => {
    expect(textsOf("Heading\n\nText without an end\n\nMore")).toEqual([
      "Heading",
      "Text without an end",
      "More",
    ]);
  });

  test("a long text without a sentence end is cut at a space", () => {
    const sentences = textsOf("word ".repeat(1000));
    expect(sentences).toHaveLength(5);
    expect(sentences.every((each) => each.length <= 1000 && /^word.*word$/.test(each))).toBe(true);
  });

  test("every sentence is a verbatim slice, in order, and no visible character is lost", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.constantFrom(
        ". ",
        "\n",
        "\n\n",
        "\t",
        "No. ",
        "1. ",
        "Fee: £3\n",
        " 🏛 ",
        "x".repeat(1200),
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        const sentences = splitSentences(text);
        let end = 0;
        let kept = "";
        for (const sentence of sentences) {
          expect(sentence.start).toBeGreaterThanOrEqual(end);
          expect(sentence.end).toBeGreaterThan(sentence.start);
          expect(sentence.text).toBe(text.slice(sentence.start, sentence.end));
          expect(sentence.text).toBe(sentence.text.trim());
          expect(sentence.text.isWellFormed() || !text.isWellFormed()).toBe(true);
          end = sentence.end;
          kept += sentence.text;
        }
        expect(kept.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });
});

test.each([
  "Die Frist endet am 3. März 2026.",
  "Fristen slutter den 3. maj 2026.",
  "Die Frist endet am 3. 12. 2026.",
])("a day is not the end of a sentence: %s", (text) => {
  const after = "Das Haus hat 12. Der Hof ist leer.";
  expect(splitSentences(`${text} ${after}`).map((each) => each.text)).toEqual([
    text,
    "Das Haus hat 12.",
    "Der Hof ist leer.",
  ]);
});
