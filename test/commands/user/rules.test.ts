import { expect, test } from "vitest";
import { sent, workspace } from "../stub-platform.ts";

test("rules of groups are listed", async () => {
  expect(await sent("user rules")).toMatchObject({
    exitCode: 0,
    requests: [["groupRules.list", { tenantId: workspace, page: "1", limit: "20" }]],
    stdout: expect.stringContaining(
      "CLAIM  VALUE  ROLE  MEMBERS  APPLIES  ISSUER  ID\nword   word   word        1  no       word    0198f0a0-2222-7000-8000-0",
    ),
  });
});
