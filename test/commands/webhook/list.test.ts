import { expect, test } from "vitest";
import { sent } from "../stub-platform.ts";

test("endpoints are listed with their state", async () => {
  expect(await sent("webhook list --limit 5")).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.list", { page: "1", limit: "5" }]],
    stdout: expect.stringContaining(
      "URL   EVENTS          ROLE           STATE       LAST DELIVERED            ID\nword  alerts of word  tenant-viewer  word:",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook list --limit 0")).toMatchObject({ exitCode: 2, requests: [] });
});
