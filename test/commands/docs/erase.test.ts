import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a document is erased where the platform has a trash", async () => {
  expect(await sent("docs erase DOC-1 --force")).toMatchObject({
    exitCode: 0,
    requests: [
      ["documents.deleted", { limit: "1" }],
      ["documents.delete", { documentId: "DOC-1", permanent: "true" }],
    ],
    stdout: "Erased document DOC-1\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("docs erase DOC-1")).toMatchObject({ exitCode: 2, requests: [] });
});
