import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("the received calls of one status are listed", async () => {
  expect(await sent("webhook source received abc --status failed")).toMatchObject({
    exitCode: 0,
    requests: [
      ["webhookSources.received", { source: "abc", page: "1", limit: "20", status: "failed" }],
    ],
    stdout: expect.stringContaining(
      "RECEIVED                  STATUS  EFFECT  SUBJECT  ERROR  ID\n2026-01-02T03:04:05.006Z  word    word    word     word   0",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook source received abc --status odd")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
