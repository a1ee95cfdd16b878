import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a path is deleted", async () => {
  const { requests } = await sent("publicapi delete /v4/data/documents/records/DOC-1");
  expect(requests).toMatchObject([["documents.delete", { documentId: "DOC-1" }]]);
});
