import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a finding is corrected", async () => {
  expect(await sent("docs review correct DOC-1 label --value permit")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "reviews.decide",
        { documentId: "DOC-1" },
        { action: "correct", target: "label", value: "permit" },
      ],
    ],
    stdout: "document  word\nlabel     word\ndecision  corrected\nversion   1\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("docs review correct DOC-1 label")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
