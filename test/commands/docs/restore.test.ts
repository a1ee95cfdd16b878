import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("a document comes back from the trash", async () => {
  expect(await sent("docs restore DOC-1")).toMatchObject({
    exitCode: 0,
    requests: [["documents.restore", { documentId: "DOC-1" }]],
    stdout: "Restored document DOC-1\n",
  });
});
