import { expect, test } from "vitest";
import {
  applyTextModel,
  trainTextModel,
  wordsOfKey,
} from "#server/text/classification/text-model.ts";

const examples = [
  ["permit", "an application for a building permit of a wall"],
  ["permit", "the permit for the new tower was granted"],
  ["permit", "application: permit to build a house"],
  ["invoice", "invoice number 12, total amount due in euro"],
  ["invoice", "please pay the amount of this invoice"],
  ["invoice", "the invoice is due: pay the total"],
].map(([label = "", text = ""]) => ({ label, text }));

test("a text gets the label whose examples it is like", () => {
  const { model, metrics } = trainTextModel(examples, 0.5);
  expect(model.labels).toEqual(["invoice", "permit"]);
  expect(metrics).toMatchObject({ examples: 6, labels: 2, heldOut: 6 });
  const of = (text: string): readonly number[] => applyTextModel(text, model).confidences;
  const [invoice = 0, permit = 0] = of("pay this invoice");
  expect(invoice).toBeGreaterThan(permit);
  const [otherInvoice = 0, otherPermit = 0] = of("a permit for a wall");
  expect(otherPermit).toBeGreaterThan(otherInvoice);
  expect(invoice + permit).toBeLessThanOrEqual(1.000_001);
  expect(applyTextModel("zzqx", model).known).toBe(0);
  expect(trainTextModel(examples, 0.5).model).toEqual(model);
});

test("one label alone is never held out", () => {
  const { metrics } = trainTextModel(examples.slice(0, 3), 0.5);
  expect(metrics).toMatchObject({ labels: 1, heldOut: 0, accuracy: null });
  expect(wordsOfKey("building-permit")).toBe("building permit");
});
