import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a rule is deleted", async () => {
  expect(await sent(`alert rule delete ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["alerts.removeRule", { alertRuleId: id }]],
    stdout: "Deleted the alert rule 0198f0a0-2222-7000-8000-000000000002\n",
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`alert rule delete ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
