import { expect, test } from "vitest";
import { id, sent, workspace } from "../../stub-platform.ts";

test("a rule is deleted by the value of its claim", async () => {
  expect(await sent("user rule delete word --force")).toMatchObject({
    exitCode: 0,
    requests: [
      ["groupRules.list", { tenantId: workspace, limit: "500" }],
      [
        "groupRules.delete",
        { tenantId: workspace, ruleId: "0198f0a0-2222-7000-8000-000000000002" },
      ],
    ],
    stdout: "Deleted the rule of word; 1 membership has ended\n",
  });
  expect(await sent(`user rule delete ${id} --force`)).toMatchObject({
    exitCode: 1,
    requests: [["groupRules.list", { tenantId: workspace, limit: "500" }]],
    stderr: expect.stringContaining(
      'Error E202: Group rule "0198f0a0-1111-7000-8000-000000000001" not found',
    ),
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("user rule delete word")).toMatchObject({ exitCode: 2, requests: [] });
});
