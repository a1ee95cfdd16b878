import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("entries are listed with who did what", async () => {
  expect(await sent("audit list --limit 5")).toMatchObject({
    exitCode: 0,
    requests: [["audit.list", { tenantId: workspace, page: "1", limit: "5" }]],
    stdout: expect.stringContaining(
      "TIME                      WHO   ACTION  OUTCOME     FROM  REQUEST\n2026-01-02T03:04:05.006Z  word  word    done: word  wo",
    ),
  });
});
