import { expect, test } from "vitest";
import {
  analysisInput,
  guardedCall,
  idParams,
  indexInput,
  pageInput,
  recordInput,
  searchInput,
} from "#client/documents/inputs.ts";

test.each(["DOC-1", "6f1ed002-ab59-4c1e-8d10-000000000001", "ü"])("%s is an id", (id) => {
  expect(idParams(id)).toEqual({ documentId: id });
});

test.each(["", ".", "..", "a b", "a/b", "a?b", "a%20", "https://a.test", "a\nb"])(
  "%j is no id of a document",
  (id) => {
    expect(() => idParams(id)).toThrow("a document ID is DOC-… or a UUID");
  },
);

test("options become the parts of a request", () => {
  expect(recordInput("D", { jobId: "j", timeoutMs: 1 })).toEqual({
    timeoutMs: 1,
    params: { documentId: "D" },
    query: { storage_target: "resourceapi", job_id: "j" },
  });
  expect(indexInput("D", { storagePath: "p" }).body).toEqual({ documentId: "D", storagePath: "p" });
  expect(indexInput("D").body).toEqual({ documentId: "D" });
  expect(searchInput("wall", { where: { type: "plan" } }).query).toMatchObject({
    query: "wall",
    where: '{"type":"plan"}',
  });
  expect(pageInput("D", 2, { words: true })).toEqual({
    params: { documentId: "D", page: 2 },
    query: { words: "true" },
  });
  expect(pageInput("D", 2, { words: false }).query).toEqual({});
  expect(guardedCall({ version: 3 })).toEqual({ headers: { "if-match": '"3"' } });
  expect(guardedCall({ timeoutMs: 3 })).toEqual({ timeoutMs: 3 });
});

test("an analysis has both keys of a workflow, or neither", () => {
  const url = "https://a.test/a.pdf";
  expect(analysisInput(url).body).toEqual({ url });
  expect(analysisInput(url, { verticalKey: "a", workflowKey: "b" }).body).toEqual({
    url,
    vertical_key: "a",
    workflow_key: "b",
  });
  expect(() => analysisInput(url, { verticalKey: "a", workflowKey: " " })).toThrow("both");
  expect(() => analysisInput(url, { workflowKey: "b" })).toThrow("both");
});
