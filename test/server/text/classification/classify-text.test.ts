import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyBayes, trainBayes } from "#server/text/classification/bayes.ts";
import { classify, needsReview } from "#server/text/classification/classify-text.ts";
import {
  type LabelledText,
  starterExamples,
} from "#server/text/classification/starter-examples.ts";
import { starterRules } from "#server/text/classification/keyword-rules.ts";

describe("rules come first", () => {
  test.each([
    [
      "decision-notice",
      "NOTICE OF DECISION\nThe council refuses planning permission. " +
        "Reasons for the decision: overlooking. Right to appeal: within six months.",
    ],
    [
      "invoice",
      "ACME Ltd\nInvoice number 4711\nBill to: Northwind\nSubtotal £90.00\nTotal due £108.00",
    ],
    [
      "meeting-minutes",
      "Minutes of the board\nApologies: B. Fenn\nMatters arising: none\nNext meeting: 3 May",
    ],
    [
      "contract",
      "This Agreement is made between the parties.\nGoverning law: England.\nForce majeure.",
    ],
    ["correspondence", "Dear Ms Holm,\nthe keys are at the desk.\nYours sincerely, T. Ashdown"],
  ])("%s", (label, text) => {
    const found = classify(text);
    expect(found.label).toBe(label);
    expect(found.method).toBe("rule");
    expect(found.candidates[0]).toEqual({ label, confidence: found.confidence });
  });

  test("one phrase alone does not decide", () => {
    expect(classify("The invoice number was written on the wall.").method).not.toBe("rule");
  });

  test("the words decide between two equal rules", () => {
    const rules = [
      { label: "bread", phrases: ["order"], minimum: 1, confidence: 0.8 },
      { label: "boats", phrases: ["order"], minimum: 1, confidence: 0.8 },
    ];
    const examples = [
      { label: "bread", text: "flour yeast oven loaf crust dough" },
      { label: "boats", text: "sail mast hull anchor deck harbour" },
    ];
    const text = "Order: one mast, one sail, one anchor, and paint for the hull.";
    expect(classify(text, { rules, examples })).toMatchObject({ label: "boats", method: "rule" });
  });
});

describe("learnt words come second", () => {
  test("texts without a rule are classified by their words", () => {
    const found = classify(
      "The extension would overshadow my garden and overlook our bedroom. The neighbours are " +
        "worried about noise, more cars and the danger to children. Please do not allow it, we " +
        "oppose this development of our street.",
    );
    expect(found).toMatchObject({ label: "objection-letter", method: "bayes" });
  });

  test("a workspace's examples teach additional labels", () => {
    const examples: LabelledText[] = [
      {
        label: "mooring-permit",
        text: "Permit to moor a boat at the quay. Berth, length, draught, harbour master.",
      },
      {
        label: "mooring-permit",
        text: "Berth permit. The boat may lie at the pontoon. Harbour master, mooring fee.",
      },
      {
        label: "catch-return",
        text: "Return of fish landed. Species, weight in kilograms, gear, vessel, port.",
      },
      {
        label: "catch-return",
        text: "Landing declaration. Cod, haddock, weight, vessel, gear, area fished.",
      },
    ];
    const text =
      "The harbour master permits the boat to moor at the pontoon; berth 7, length 9 metres.";
    expect(classify(text, { rules: [], examples })).toMatchObject({
      label: "mooring-permit",
      method: "bayes",
    });
  });

  test("most texts of the starter set are classified correctly by the others", () => {
    let right = 0;
    let sure = 0;
    let surelyRight = 0;
    for (const [index, { label, text }] of starterExamples.entries()) {
      const model = trainBayes(starterExamples.filter((_, other) => other !== index));
      const { probabilities } = applyBayes(text, model);
      const highest = Math.max(...probabilities);
      const isRight = model.labels[probabilities.indexOf(highest)] === label;
      right += isRight ? 1 : 0;
      sure += highest >= 0.5 ? 1 : 0;
      surelyRight += highest >= 0.5 && isRight ? 1 : 0;
    }
    expect(right / starterExamples.length).toBeGreaterThan(0.75);
    expect(sure).toBeGreaterThan(starterExamples.length / 2);
    expect(surelyRight / sure).toBeGreaterThan(0.9);
  });
});

describe("it abstains", () => {
  test.each([
    ["an empty text", ""],
    ["a text of unknown words", "lorem ipsum dolor sit amet consectetur adipiscing elit"],
    [
      "a text about something else",
      "Mix flour, sugar and butter and bake for 20 minutes until golden.",
    ],
    ["words that fit several kinds", "The council, the applicant, the fee, the date and the site."],
  ])("for %s", (_, text) => {
    const found = classify(text);
    expect(found.label).toBe("needs-review");
    expect(found.method).toBe("none");
    expect(found.confidence).toBeLessThan(0.5);
  });

  test("below the given threshold, with its candidates", () => {
    const text = "Dear Ms Holm,\nthe keys are at the desk.\nYours sincerely, T. Ashdown";
    const found = classify(text, { threshold: 0.9 });
    expect(found.label).toBe(needsReview);
    expect(found.candidates[0]?.label).toBe("correspondence");
  });

  test("without examples and rules", () => {
    expect(classify("Notice of decision", { rules: [], examples: [] })).toEqual({
      label: "needs-review",
      confidence: 0,
      candidates: [],
      method: "none",
    });
  });
});

test("the starter rules and examples have the same labels", () => {
  const ruled = starterRules.map((rule) => rule.label).toSorted();
  const learnt = [...new Set(starterExamples.map((each) => each.label))].toSorted();
  expect(ruled).toEqual(learnt);
});

test("any text: the same result twice, confidences in order and between 0 and 1", () => {
  const words = starterExamples.flatMap((each) => each.text.split(" "));
  const text = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 10 })), { maxLength: 80 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, (value) => {
      const found = classify(value);
      expect(classify(value)).toEqual(found);
      const confidences = found.candidates.map((each) => each.confidence);
      expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      expect(confidences.every((each) => each >= 0 && each <= 1)).toBe(true);
      expect(found.candidates.length).toBeLessThanOrEqual(5);
      expect(found.method === "none").toBe(found.label === needsReview);
    }),
  );
});
