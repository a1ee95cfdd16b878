import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("marks are listed by place", async () => {
  expect(await sent("account marks")).toMatchObject({
    exitCode: 0,
    requests: [["marks.list", { tenant_id: workspace }]],
    stdout:
      "PLACE  NEW  SEEN                      FIRST OF THEM\nword   1    2026-01-02T03:04:05.006Z  word\n",
  });
});
