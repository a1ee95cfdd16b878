import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("pending invitations are listed", async () => {
  expect(await sent("user invitations --limit 5")).toMatchObject({
    exitCode: 0,
    requests: [["members.invitations", { tenantId: workspace, page: "1", limit: "5" }]],
    stdout: expect.stringContaining(
      "E-MAIL           ROLE  DELIVERY  EXPIRES     ID\nada@example.org  word  link      2026-01-02  0198f0a0-2222-7000-8000-000",
    ),
  });
});
