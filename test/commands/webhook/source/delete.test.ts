import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a source is deleted", async () => {
  expect(await sent("webhook source delete abc --force")).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.remove", { source: "abc" }]],
    stdout: "Deleted the source abc\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("webhook source delete abc")).toMatchObject({ exitCode: 2, requests: [] });
});
