import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("only the given settings change", async () => {
  expect(await sent(`alert rule update ${id} --no-enabled`)).toMatchObject({
    exitCode: 0,
    requests: [["alerts.updateRule", { alertRuleId: id }, { enabled: false }]],
    stdout: expect.stringContaining(
      "rule        0198f0a0-2222-7000-8000-000000000002\nname        word",
    ),
  });
  expect(await sent(`alert rule update ${id} --name New`)).toMatchObject({
    exitCode: 0,
    requests: [["alerts.updateRule", { alertRuleId: id }, { name: "New" }]],
    stdout: expect.stringContaining(
      "rule        0198f0a0-2222-7000-8000-000000000002\nname        word",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`alert rule update ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
