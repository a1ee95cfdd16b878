import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("a source is shown", async () => {
  expect(await sent("webhook source show abc")).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.get", { source: "abc" }]],
    stdout: expect.stringContaining("source               word\nname                 word"),
  });
});
