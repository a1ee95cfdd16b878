import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("a place is marked as seen", async () => {
  expect(await sent("account seen documents")).toMatchObject({
    exitCode: 0,
    requests: [["marks.set", {}, { tenant_id: workspace, place: "documents" }]],
    stdout: "Marked word as seen\n",
  });
});
