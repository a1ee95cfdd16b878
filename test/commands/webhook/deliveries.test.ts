import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("the deliveries of one status are listed in pages", async () => {
  expect(await sent(`webhook deliveries ${id} --status failed --limit 5`)).toMatchObject({
    exitCode: 0,
    requests: [
      ["webhooks.deliveries", { endpointId: id, page: "1", limit: "5", status: "failed" }],
    ],
    stdout: expect.stringContaining(
      "MADE                      EVENT  SUBJECT  STATUS  ATTEMPTS  ANSWER  ID\n2026-01-02T03:04:05.006Z  word   word     word   ",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`webhook deliveries ${id} --status odd`)).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
