import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("an endpoint is shown", async () => {
  expect(await sent(`webhook show ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.get", { endpointId: id }]],
    stdout: expect.stringContaining(
      "id              0198f0a0-2222-7000-8000-000000000002\nurl             word",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook show")).toMatchObject({ exitCode: 2, requests: [] });
});
