import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleClassifier } from "#server/sample-data/classifier/definition.ts";
import { sampleExamples } from "#server/sample-data/classifier/example-texts.ts";
import { calibrationError, fitCalibration } from "#server/text/classification/calibration.ts";
import {
  classifyText,
  needsReview,
  type Classifier,
  type PhraseRule,
} from "#server/text/classification/classify-text.ts";
import { bytesOfModel, modelOfBytes } from "#server/text/classification/model-bytes.ts";
import {
  applyTextModel,
  trainTextModel,
  type LabelledText,
} from "#server/text/classification/text-model.ts";

const rules = sampleClassifier.labels.flatMap(({ key, rule }): PhraseRule[] =>
  rule === undefined ? [] : [{ label: key, ...rule }],
);
const sample = trainTextModel(sampleExamples, 0.5);

function classifierOf(given: Partial<Classifier> & { threshold?: number } = {}): Classifier {
  const { threshold = 0.5, ...rest } = given;
  const labels = new Set(sampleClassifier.labels.map(({ key }) => key));
  return { rules, model: sample.model, labels, thresholdOf: () => threshold, ...rest };
}

function learn(examples: readonly LabelledText[]): Classifier {
  const labels = new Set(examples.map(({ label }) => label));
  return classifierOf({ rules: [], labels, model: trainTextModel(examples, 0.5).model });
}

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
    ["correspondence", "Dear Ms Holm,\nthe keys are at the desk.\nYours sincerely, T. Ashdown"],
  ])("%s", (label, text) => {
    const found = classifyText(text, classifierOf({ model: undefined }));
    expect(found.label).toBe(label);
    expect(found.method).toBe("rule");
    expect(found.candidates[0]).toEqual({ label, confidence: found.confidence });
  });

  test("one phrase alone does not decide", () => {
    const text = "The invoice number was written on the wall.";
    expect(classifyText(text, classifierOf()).method).not.toBe("rule");
  });

  test("the words decide between two equal rules", () => {
    const equal = ["bread", "boats"].map((label) => {
      return { label, phrases: ["order"], minimum: 1, confidence: 0.8 };
    });
    const trained = learn([
      { label: "bread", text: "flour yeast oven loaf crust dough" },
      { label: "boats", text: "sail mast hull anchor deck harbour" },
    ]);
    const text = "Order: one mast, one sail, one anchor, and paint for the hull.";
    expect(classifyText(text, { ...trained, rules: equal })).toMatchObject({
      label: "boats",
      method: "rule",
    });
  });
});

describe("the trained model comes second", () => {
  test("texts without a rule are classified by their words", () => {
    const text =
      "The extension would overshadow my garden and overlook our bedroom. The neighbours are " +
      "worried about noise, more cars and the danger to children. Please do not allow it, we " +
      "oppose this development of our street.";
    expect(classifyText(text, classifierOf())).toMatchObject({
      label: "objection-letter",
      method: "model",
    });
  });

  test("held-out texts of the sample classifier are classified by the others", () => {
    const { accuracy, calibrationError: error, heldOut } = sample.metrics;
    expect(heldOut).toBe(sampleExamples.length);
    expect(accuracy).toBeGreaterThan(0.8);
    expect(error).toBeLessThan(0.12);
  });

  test("retired labels are not given", () => {
    const text = "We oppose this extension: it would overlook our garden and our bedroom.";
    const labels = new Set(["guidance", "report"]);
    const found = classifyText(text, classifierOf({ rules: [], labels }));
    expect(found.candidates.map(({ label }) => label)).not.toContain("objection-letter");
  });

  test("the same examples give the same model", () => {
    expect(bytesOfModel(trainTextModel(sampleExamples, 0.5).model)).toEqual(
      bytesOfModel(sample.model),
    );
  });

  test("its bytes read back give the same confidences", () => {
    const read = modelOfBytes(bytesOfModel(sample.model));
    for (const { text } of sampleExamples.slice(0, 20)) {
      const before = applyTextModel(text, sample.model).confidences;
      const after = applyTextModel(text, read).confidences;
      after.forEach((each, at) => expect(each).toBeCloseTo(before[at] ?? 0, 2));
    }
    expect(() => modelOfBytes(new Uint8Array(64))).toThrow();
  });

  test("a single label or no text gives a model without held-out results", () => {
    expect(trainTextModel([{ label: "a", text: "b" }], 0.5).metrics).toMatchObject({
      heldOut: 0,
      accuracy: null,
    });
  });
});

describe("short questions with many labels", () => {
  /** Three questions of each label, which share most of their words with those of other labels. */
  const topics = {
    "card-arrival": ["where is my new card", "the card has not come yet", "when will it come"],
    "card-lost": ["i lost my card", "my card is gone", "i cannot find the card"],
    "card-not-working": ["my card does not work", "the card is broken", "the shop refused my card"],
    "transfer-time": ["how long does a transfer take", "when will it be there", "is it slow"],
    "transfer-failed": ["my transfer failed", "the transfer did not go", "it was sent back"],
    "change-pin": ["how do i change my pin", "i want a new pin", "set another pin"],
  };
  const questions = Object.entries(topics).flatMap(([label, texts]) =>
    texts.map((text) => ({ label, text })),
  );
  const classifier = learn(questions);

  test.each([
    ["card-lost", "I have lost the card"],
    ["change-pin", "pin change"],
    ["transfer-failed", "why did my tranfer fail"],
  ])("%s is the first candidate", (label, text) => {
    const { candidates } = classifyText(text, classifier);
    expect(candidates[0]?.label).toBe(label);
    expect(candidates).toHaveLength(5);
  });

  test("the words of a label's key are learnt", () => {
    const { candidates } = classifyText("arrival", classifier);
    expect(candidates[0]?.label).toBe("card-arrival");
  });
});

test("a model of form 1, which an earlier platform has stored, is still read", () => {
  const known = applyTextModel("flour yeast", { ...sample.model, form: 1 });
  const stored = modelOfBytes(bytesOfModel({ ...sample.model, form: 1 }));
  expect(stored.form).toBe(1);
  expect(applyTextModel("flour yeast", stored).known).toBe(known.known);
});

describe("it abstains", () => {
  test.each([
    ["an empty text", ""],
    ["a text of unknown words", "lorem ipsum dolor sit amet consectetur adipiscing elit"],
    ["signs and digits", "4711 +++ 2026-11-05 %%% ---"],
  ])("for %s", (_, text) => {
    const found = classifyText(text, classifierOf());
    expect(found.label).toBe(needsReview);
    expect(found.method).toBe("none");
    expect(found.confidence).toBeLessThan(0.5);
  });

  test("below the given threshold, with its candidates", () => {
    const text = "Dear Ms Holm,\nthe keys are at the desk.\nYours sincerely, T. Ashdown";
    const found = classifyText(text, classifierOf({ threshold: 0.9 }));
    expect(found.label).toBe(needsReview);
    expect(found.candidates[0]?.label).toBe("correspondence");
  });

  test("without model and rules", () => {
    const empty = classifierOf({ rules: [], model: undefined });
    expect(classifyText("Notice of decision", empty)).toEqual({
      label: needsReview,
      confidence: 0,
      candidates: [],
      method: "none",
    });
  });
});

describe("calibration", () => {
  test("fits probabilities to the share of hits", () => {
    const scores = Array.from({ length: 400 }, (_, at) => (at % 40) / 10 - 2);
    const hits = scores.map((score, at) => (at * 7919) % 100 < 100 / (1 + Math.exp(-2 * score)));
    const fitted = fitCalibration(scores, hits, { slope: 1, offset: 0 });
    expect(fitted.slope).toBeGreaterThan(1.5);
    expect(fitted.slope).toBeLessThan(2.6);
  });

  test("measures the distance of confidence and hits", () => {
    expect(calibrationError([0.9, 0.9, 0.9, 0.9], [true, true, false, false])).toBeCloseTo(0.4);
    expect(calibrationError([1, 1], [true, true])).toBe(0);
    expect(calibrationError([], [])).toBe(0);
  });
});

test("any text: the same result twice, confidences in order and between 0 and 1", () => {
  const words = sampleExamples.flatMap((each) => each.text.split(" "));
  const text = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 10 })), { maxLength: 80 })
    .map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, (value) => {
      const found = classifyText(value, classifierOf());
      expect(classifyText(value, classifierOf())).toEqual(found);
      const confidences = found.candidates.map((each) => each.confidence);
      expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      expect(confidences.every((each) => each >= 0 && each <= 1)).toBe(true);
      expect(found.candidates.length).toBeLessThanOrEqual(5);
      expect(found.method === "none").toBe(found.label === needsReview);
    }),
  );
});
