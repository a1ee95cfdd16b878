import { expect, test } from "vitest";
import { generationOf, placeOf } from "#server/domains/geo/datasets/feature-store.ts";
import type { ReadingTask } from "#server/domains/geo/datasets/imports/feature-reader.ts";
import { readInThread } from "#server/domains/geo/datasets/imports/reading-thread.ts";

const task: ReadingTask = { generation: 7, format: undefined, source: {}, geometries: {} };

const point = (index: number): string =>
  JSON.stringify({
    type: "Feature",
    id: `f-${index}`,
    properties: { size: index },
    geometry: { type: "Point", coordinates: [index / 100, 50] },
  });

async function* chunksOf(text: string, size = 10_000) {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

async function allOf(parts: ReturnType<typeof readInThread>) {
  const all = [];
  for await (const part of parts) all.push(part);
  return all;
}

test("a thread reads a file in parts, in order, and ends with what all of it has", async () => {
  const text = Array.from({ length: 1_000 }, (_, index) => point(index)).join("\n");
  const parts = await allOf(readInThread(chunksOf(text), task, new AbortController().signal));
  expect(parts.map(({ read }) => read)).toEqual([400, 800, 1_000]);
  const features = parts.flatMap((part) => part.features);
  expect(features.map(({ number }) => placeOf(number))).toEqual(
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  );
  expect(features[999]).toMatchObject({ id: "f-999", box: [9.99, 50, 9.99, 50] });
  expect(generationOf(features[0]?.number ?? 0)).toBe(7);
  expect(parts[2]?.summary).toEqual({ box: [0, 50, 9.99, 50], types: '{"size":"integer"}' });
});

test("features before the place where a file cannot be read come first, with the faults", async () => {
  const text = `{"type":"FeatureCollection","features":[${point(1)},${point(999_999)},7]}`;
  const seen: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const part of readInThread(chunksOf(text), task, new AbortController().signal)) {
      seen.push(part.features.length, part.faults.length);
    }
  };
  await expect(reading()).rejects.toMatchObject({ name: "FormatError" });
  expect(seen).toEqual([1, 1]);
});

test.each([
  ["the bytes cannot be read", new Error("the store is away")],
  ["the import is cancelled", "abort"],
])("the thread ends when %s", async (_, cause) => {
  const cancelled = new AbortController();
  let isClosed = false;
  async function* chunks() {
    try {
      yield new TextEncoder().encode(`${point(1)}\n`);
      if (cause instanceof Error) throw cause;
      cancelled.abort(new Error(cause));
      for (;;) yield new TextEncoder().encode(`${point(2)}\n`);
    } finally {
      isClosed = true;
    }
  }
  const reading = allOf(readInThread(chunks(), task, cancelled.signal));
  await expect(reading).rejects.toThrow(cause instanceof Error ? cause.message : cause);
  expect(isClosed).toBe(true);
});
