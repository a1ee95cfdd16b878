import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("an endpoint is enabled", async () => {
  expect(await sent(`webhook enable ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.enable", { endpointId: id }]],
    stdout: `Enabled the endpoint ${id}\n`,
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook enable")).toMatchObject({ exitCode: 2, requests: [] });
});
