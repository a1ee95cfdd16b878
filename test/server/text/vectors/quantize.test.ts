import { expect, test } from "vitest";
import { bytesOfVector, vectorOfBytes } from "#server/text/vectors/quantize.ts";
import { vectorOf, cosine } from "./letter-vectors.ts";

test("a stored vector has one byte per number and comes back nearly the same", () => {
  const vector = vectorOf(7, 384);
  const bytes = bytesOfVector(vector);
  expect(bytes).toHaveLength(388);
  const { scale = 0, values = new Int8Array() } = vectorOfBytes(bytes) ?? {};
  expect(
    cosine(
      vector,
      Float32Array.from(values, (value) => value * scale),
    ),
  ).toBeCloseTo(1, 2);
  expect(vectorOfBytes(new Uint8Array())).toBeUndefined();
});
