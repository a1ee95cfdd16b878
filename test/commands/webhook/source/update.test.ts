import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("only the given settings change", async () => {
  expect(await sent("webhook source update abc --no-enabled --name New")).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.update", { source: "abc" }, { name: "New", enabled: false }]],
    stdout: expect.stringContaining("source               word\nname                 word"),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook source update abc")).toMatchObject({ exitCode: 2, requests: [] });
});
