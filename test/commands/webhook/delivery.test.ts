import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("a delivery has its attempts", async () => {
  expect(await sent(`webhook delivery ${id} ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.delivery", { endpointId: id, deliveryId: id }]],
    stdout: expect.stringContaining(
      "id            0198f0a0-2222-7000-8000-000000000002\nevent         word",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`webhook delivery ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
