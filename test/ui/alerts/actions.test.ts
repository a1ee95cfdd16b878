import { expect, test } from "vitest";
import { acknowledge, channelToggle, ruleRemoval, ruleToggle } from "#ui/alerts/actions.ts";
import { recorded, recordingClient } from "../support/recorded-action.ts";

const rule = { id: "r1", name: "Overdue", enabled: true };

test("a rule is muted, and lets go again", async () => {
  expect(await recorded(ruleToggle, rule)).toMatchObject({
    title: "Mute the rule Overdue",
    command: [["alert", "rule", "update", "r1"], { "no-enabled": true }],
    calls: [
      [
        "alerts.updateRule",
        { tenantId: "w", params: { alertRuleId: "r1" }, body: { enabled: false } },
      ],
    ],
    done: "muted Overdue",
  });
  expect(await recorded(ruleToggle, { id: "r1", enabled: false })).toMatchObject({
    title: "Unmute the rule r1",
    command: [["alert", "rule", "update", "r1"], { enabled: true }],
    calls: [["alerts.updateRule", { body: { enabled: true } }]],
    done: "unmuted r1",
  });
});

test("a rule is deleted, and a channel is turned on and off", async () => {
  expect(await recorded(ruleRemoval, rule)).toMatchObject({
    command: [["alert", "rule", "delete", "r1"], { force: true }],
    calls: [["alerts.removeRule", { params: { alertRuleId: "r1" } }]],
  });
  expect(await recorded(channelToggle, { mail: false, role: "tenant-staff" })).toMatchObject({
    calls: [["alerts.updateChannels", { body: { role: "tenant-staff", mail: true } }]],
    done: "alerts are mailed to staff",
  });
  expect(await recorded(channelToggle, { mail: true })).toMatchObject({
    calls: [["alerts.updateChannels", { body: { mail: false } }]],
    done: "no alerts are mailed to yourself; the list has them",
  });
});

test("an alert is acknowledged by its id", async () => {
  const calls: [string, ...unknown[]][] = [];
  await acknowledge(recordingClient(calls, {}), "w")({ id: "a1" });
  expect(calls).toEqual([["alerts.acknowledge", { tenantId: "w", params: { alertId: "a1" } }]]);
});
