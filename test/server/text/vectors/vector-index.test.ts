import { describe, expect, test } from "vitest";
import { quantized } from "#server/text/vectors/quantize.ts";
import { VectorIndex, VectorMemory } from "#server/text/vectors/vector-index.ts";
import { vectorOf, cosine, dimensions } from "./letter-vectors.ts";

const mebibyte = 1024 * 1024;

const placed = (count: number) =>
  Array.from({ length: count }, (_, seed) => ({
    documentId: `d${Math.floor(seed / 10)}`,
    ordinal: seed % 10,
    vector: quantized(vectorOf(seed)),
  }));

describe("an index of vectors", () => {
  test("finds the nearest passages as an exact comparison does", () => {
    const index = new VectorIndex(new VectorMemory(8 * mebibyte), dimensions);
    expect(index.put(placed(30_000))).toBe(0);
    const query = vectorOf(99_999);
    const expected = Array.from({ length: 30_000 }, (_, seed) => seed)
      .map((seed) => ({ seed, likeness: cosine(query, vectorOf(seed)) }))
      .toSorted((one, other) => other.likeness - one.likeness)
      .slice(0, 10);
    const found = index.search(quantized(query), 10);
    expect(found).toHaveLength(10);
    const places = found.map(
      ({ documentId, ordinal }) => Number(documentId.slice(1)) * 10 + ordinal,
    );
    const shared = expected.filter(({ seed }) => places.includes(seed));
    expect(shared.length).toBeGreaterThanOrEqual(9);
    expect(Math.abs((found[0]?.likeness ?? 0) - (expected[0]?.likeness ?? 0))).toBeLessThan(0.01);
    expect(found.map(({ likeness }) => likeness)).toEqual(
      found.map(({ likeness }) => likeness).toSorted((one, other) => other - one),
    );
  });

  test("replaces and forgets passages, and searches some documents only", () => {
    const index = new VectorIndex(new VectorMemory(mebibyte), dimensions);
    index.put(placed(100));
    const query = quantized(vectorOf(42));
    const best = { documentId: "d4", ordinal: 2, likeness: expect.closeTo(1, 1) };
    expect(index.search(query, 1)).toEqual([best]);
    expect(index.search(query, 1, new Set(["d9"]))[0]?.documentId).toBe("d9");
    index.put([{ documentId: "d4", ordinal: 2, vector: quantized(vectorOf(43)) }]);
    expect(index.search(query, 1)).not.toEqual([best]);
    index.put([{ documentId: "d7", ordinal: 0, vector: quantized(vectorOf(42)) }]);
    expect(index.search(query, 1)).toEqual([{ ...best, documentId: "d7", ordinal: 0 }]);
    index.forget(["d7", "d4", "unknown"]);
    expect(index.size).toBe(80);
    expect(index.search(query, 100).map(({ documentId }) => documentId)).not.toContain("d7");
    // Freed places are used again.
    index.put([{ documentId: "new", ordinal: 3, vector: quantized(vectorOf(42)) }]);
    expect(index.search(query, 1)).toEqual([{ ...best, documentId: "new", ordinal: 3 }]);
    index.put([{ documentId: "new", ordinal: 3, vector: undefined }]);
    expect(index.search(query, 1)[0]?.documentId).not.toBe("new");
  });

  test("leaves out what does not fit into the memory, which it gives back", () => {
    const memory = new VectorMemory(mebibyte);
    const first = new VectorIndex(memory, dimensions);
    const perSlab = Math.floor(mebibyte / 48);
    expect(first.put(placed(perSlab + 10))).toBe(10);
    const second = new VectorIndex(memory, dimensions);
    expect(second.put(placed(5))).toBe(5);
    first.close();
    expect(second.put(placed(5))).toBe(0);
    expect(second.search(quantized(vectorOf(3)), 1)[0]).toMatchObject({ ordinal: 3 });
  });

  test("ignores vectors and queries of another size", () => {
    const index = new VectorIndex(new VectorMemory(mebibyte), dimensions);
    index.put([{ documentId: "d", ordinal: 0, vector: quantized(vectorOf(1, 16)) }]);
    expect(index.size).toBe(0);
    index.put(placed(3));
    expect(index.search(quantized(vectorOf(1, 16)), 5)).toEqual([]);
  });
});
