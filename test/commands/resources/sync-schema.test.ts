import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("stored types are synchronised, or only compared", async () => {
  expect(await sent("resources sync-schema")).toMatchObject({
    exitCode: 1,
    requests: [["storage.syncSchema", { tenantId: workspace }, { backend: "all", dryRun: false }]],
    stdout: "BACKEND  TYPE  STATE  ACTIONS  DETAIL\nword     word  word   word     word\n",
  });
  expect(await sent("resources sync-schema --dry-run")).toMatchObject({
    exitCode: 1,
    requests: [["storage.syncSchema", { tenantId: workspace }, { backend: "all", dryRun: true }]],
    stdout: "BACKEND  TYPE  STATE  ACTIONS  DETAIL\nword     word  word   word     word\n",
  });
});
