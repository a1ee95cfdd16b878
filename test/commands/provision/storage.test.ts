import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a backend is provisioned, and the search is rebuilt if wanted", async () => {
  const { requests } = await sent(
    "provision storage --backend postgresql --dry-run --rebuild-search",
  );
  expect(requests).toEqual([
    [
      "storage.provision",
      { tenantId: workspace },
      { backend: "postgresql", dryRun: true, rebuildSearch: true },
    ],
  ]);
});
