import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("each capability is decided, and without one all are listed", async () => {
  expect(await sent("user can resources.create members.invite")).toMatchObject({
    exitCode: 1,
    requests: [
      [
        "capabilities.evaluate",
        {},
        { capabilities: ["resources.create", "members.invite"], tenantId: workspace },
      ],
    ],
    stdout: "CAPABILITY  ALLOWED  REASON\nword        no       word\n",
  });
  expect(await sent("user can")).toMatchObject({
    exitCode: 0,
    requests: [["capabilities.catalog", {}]],
    stdout: "CAPABILITY  NEEDS  SUMMARY\nword        word   word\n",
  });
});
