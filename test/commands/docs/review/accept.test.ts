import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a finding is accepted", async () => {
  expect(await sent("docs review accept DOC-1 label")).toMatchObject({
    exitCode: 0,
    requests: [["reviews.decide", { documentId: "DOC-1" }, { action: "accept", target: "label" }]],
    stdout: "document  word\nlabel     word\ndecision  accepted\nversion   1\n",
  });
  expect(await sent("docs review accept DOC-1 label --version 3")).toMatchObject({
    exitCode: 0,
    requests: [["reviews.decide", { documentId: "DOC-1" }, { action: "accept", target: "label" }]],
    stdout: "document  word\nlabel     word\ndecision  accepted\nversion   1\n",
  });
});
