import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a document is indexed again from its stored file", async () => {
  expect(await sent("docs index DOC-1")).toMatchObject({
    exitCode: 0,
    requests: [
      ["documents.record", { documentId: "DOC-1", storage_target: "resourceapi" }],
      ["documents.ragIndex", {}, { documentId: "DOC-1", storagePath: "word" }],
    ],
    stdout: expect.stringContaining(
      "job            0198f0a0-2222-7000-8000-000000000002\nstatus         word",
    ),
  });
});
