import { expect, test } from "vitest";
import { bytesOfModel, modelOfBytes } from "#server/text/classification/model-bytes.ts";

const model = {
  form: 2 as const,
  labels: ["permit", "plän"],
  features: Uint32Array.of(3, 7, 1_000_000),
  rarities: Float32Array.of(1, 2, 0.5, 3),
  weights: [Float32Array.of(0.5, -1, 0.25, 4), Float32Array.of(0, 0, 0, -2)],
  labelCalibration: { slope: 1, offset: 0.5 },
  bestCalibration: { slope: 2, offset: -1 },
};

test("a model comes back from its bytes, its weights within 16 bits", () => {
  const stored = bytesOfModel(model);
  // The bytes of a column may begin at any address.
  const moved = new Uint8Array(stored.length + 1).subarray(1);
  moved.set(stored);
  const { weights, ...others } = modelOfBytes(moved);
  const { weights: given, ...facts } = model;
  expect(others).toEqual(facts);
  given.forEach((row, label) => {
    row.forEach((weight, at) => expect(weights[label]?.[at]).toBeCloseTo(weight, 4));
  });
});

test("other bytes are refused", () => {
  expect(() => modelOfBytes(new Uint8Array(16))).toThrow();
  expect(() => modelOfBytes(bytesOfModel({ ...model, form: 9 as never }))).toThrow();
});
