import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("the secret of a source is replaced", async () => {
  expect(await sent("webhook source rotate abc --grace-days 2")).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.rotate", { source: "abc" }, { graceDays: 2 }]],
    stdout: expect.stringContaining("source               word\nname                 word"),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook source rotate abc --grace-days 8")).toMatchObject({
    exitCode: 2,
    requests: [],
  });
});
