import { expect, test } from "vitest";
import { bytesOfVector, quantized } from "#server/text/vectors/quantize.ts";
import { VectorThread } from "#server/text/vectors/vector-worker.ts";
import { vectorOf, dimensions } from "./letter-vectors.ts";

const mebibyte = 1024 * 1024;

test("the thread of the indexes answers, and reports when it ends", async () => {
  let lost = 0;
  const thread = new VectorThread(4 * mebibyte, () => {
    lost += 1;
  });
  await thread.open("one", dimensions);
  const rows = [1, 2, 3].map((seed) => ({
    documentId: `d${seed}`,
    ordinal: 0,
    bytes: bytesOfVector(vectorOf(seed)),
  }));
  await thread.put("one", rows);
  const near = await thread.search("one", quantized(vectorOf(2)), 1);
  expect(near).toEqual([{ documentId: "d2", ordinal: 0, likeness: expect.closeTo(1, 1) }]);
  expect(await thread.search("other", quantized(vectorOf(2)), 1)).toEqual([]);
  await thread.drop("one");
  expect(await thread.search("one", quantized(vectorOf(2)), 1)).toEqual([]);
  const left = thread.search("one", quantized(vectorOf(2)), 1);
  const closed = thread.close();
  await expect(left).rejects.toThrow("the vector index is closed");
  await closed;
  expect(lost).toBe(1);
});
