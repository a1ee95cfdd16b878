import { expect, test } from "vitest";
import { dotProducts } from "#server/text/vectors/dot-kernel.ts";
import { lanes } from "#server/text/vectors/quantize.ts";

test("the kernel computes what plain code does", () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const [stride, count] = [lanes * 3, 5];
  const [queryAt, vectorsAt, outAt] = [0, 1_024, 4_096];
  const query = new Int16Array(memory.buffer, queryAt, stride);
  const vectors = new Int8Array(memory.buffer, vectorsAt, stride * count);
  query.forEach((_, at) => (query[at] = ((at * 37) % 255) - 127));
  vectors.forEach((_, at) => (vectors[at] = ((at * 91) % 255) - 127));
  const expected = Array.from({ length: count }, (_, vector) =>
    query.reduce((sum, value, at) => sum + value * (vectors[vector * stride + at] ?? 0), 0),
  );
  dotProducts(memory)(queryAt, vectorsAt, count, stride, outAt);
  expect([...new Int32Array(memory.buffer, outAt, count)]).toEqual(expected);
  dotProducts(memory)(queryAt, vectorsAt, 0, stride, outAt);
  expect(new Int32Array(memory.buffer, outAt, 1)[0]).toBe(expected[0]);
});
