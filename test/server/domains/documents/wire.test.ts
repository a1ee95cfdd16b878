import { expect, test } from "vitest";
import { documentJobOf, storagePathOf, wordsOfWire } from "#server/domains/documents/wire.ts";

test("the words of a page have their boxes", () => {
  const found = {
    width: 100,
    height: 200,
    places: [0, 3, 1, 2, 30, 10, 4, 2, 40, 2, 20, 10],
  } as never;
  expect(wordsOfWire(found)).toEqual({
    width: 100,
    height: 200,
    words: [
      { start: 0, end: 3, x: 1, y: 2, width: 30, height: 10 },
      { start: 4, end: 6, x: 40, y: 2, width: 20, height: 10 },
    ],
  });
  expect(wordsOfWire(undefined)).toEqual({ words: [] });
});

test("a job has its documents, with their warnings", () => {
  const id = "6f1ed002-ab59-4c1e-8d10-000000000001";
  const job = {
    id: "j",
    state: "running",
    payload: { documentIds: [id] },
    stages: [{ name: "extract", progress: null, counts: null, error: null }],
    counts: {},
    error: { message: "x" },
  } as never;
  const document = { id, number: "DOC-1", properties: { warnings: ["w"] } } as never;
  expect(documentJobOf(job, [document])).toMatchObject({
    jobId: "j",
    documentId: id,
    documents: [{ documentNumber: "DOC-1", warnings: ["w"] }],
    error: { message: "x" },
  });
  expect(storagePathOf({ sha256: "abcdef" } as never)).toBe("documents/ab/cd/abcdef");
});
