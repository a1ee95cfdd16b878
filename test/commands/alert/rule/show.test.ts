import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("a rule is shown", async () => {
  expect(await sent(`alert rule show ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["alerts.getRule", { alertRuleId: id }]],
    stdout: expect.stringContaining(
      "rule        0198f0a0-2222-7000-8000-000000000002\nname        word",
    ),
  });
});
