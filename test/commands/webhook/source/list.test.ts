import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("sources are listed", async () => {
  expect(await sent("webhook source list")).toMatchObject({
    exitCode: 0,
    requests: [["webhookSources.list", { page: "1", limit: "20" }]],
    stdout:
      "NAME  SCHEME  ROLE           STATUS  SOURCE\nword  word    tenant-viewer  word    word\n",
  });
});
