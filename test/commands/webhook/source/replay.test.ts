import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a call takes effect again", async () => {
  expect(await sent(`webhook source replay abc ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.replay", { source: "abc", receivedId: id }]],
    stdout: `The call ${id} takes effect again\n`,
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("webhook source replay abc")).toMatchObject({ exitCode: 2, requests: [] });
});
