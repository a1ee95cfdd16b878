import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a received call has its fields and body", async () => {
  expect(await sent(`webhook source call abc ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.receivedCall", { source: "abc", receivedId: id }]],
    stdout: expect.stringContaining(
      "id        0198f0a0-2222-7000-8000-000000000002\nevent     0198f0a0-2222-7000-8000-000000000002",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook source call abc")).toMatchObject({ exitCode: 2, requests: [] });
});
