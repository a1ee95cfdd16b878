import { expect, test } from "vitest";
import { processingModes, uploadMetadataNames } from "#contract/documents/upload-metadata.ts";

test("metadata of an upload names each of its strings once, and none of them a role", () => {
  expect(new Set(uploadMetadataNames).size).toBe(uploadMetadataNames.length);
  expect(uploadMetadataNames.filter((name) => /role|permission|token/.test(name))).toEqual([]);
});

test("an upload has the four processing modes of the specification", () => {
  expect(processingModes).toEqual(["classification", "rag", "full", "store_only"]);
});
