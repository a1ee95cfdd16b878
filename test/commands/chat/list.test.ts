import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("conversations are listed", async () => {
  expect(await sent("chat list --limit 5")).toMatchObject({
    exitCode: 0,
    requests: [["chat.conversations", { tenantId: workspace, page: "1", limit: "5" }]],
    stdout: expect.stringContaining(
      "STARTED           TITLE  WORKFLOW                              MESSAGES  ID\n2026-01-02T03:04  word   0198f0a0-2222-7000-",
    ),
  });
});
