import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("the failed deliveries are sent again, or those since a time", async () => {
  expect(await sent(`webhook replay ${id} --failed`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.replay", { endpointId: id }, { failed: true }]],
    stdout: "Sending 1 event again\n",
  });
  expect(await sent(`webhook replay ${id} --from 2026-01-01T00:00:00Z`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.replay", { endpointId: id }, { from: "2026-01-01T00:00:00Z" }]],
    stdout: "Sending 1 event again\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`webhook replay ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
