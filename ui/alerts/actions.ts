import type { Client } from "#client/index.ts";
import type { Alert, AlertChannels, AlertRule } from "#contract/events/alerts.ts";
import { given } from "#lib/given.ts";
import type { Action } from "../kit/places/action.ts";
import { channelName } from "./channel-words.ts";

export function ruleName({ name, id }: AlertRule): string {
  return name ?? id;
}

const isMuted = ({ enabled }: AlertRule) => enabled === false;

/** Mutes a rule, which raises nothing meanwhile, or lets it raise alerts again. */
export const ruleToggle: Action<AlertRule> = {
  question: {
    title: (rule) => `${isMuted(rule) ? "Unmute" : "Mute"} the rule ${ruleName(rule)}`,
    effects: (rule) => [
      isMuted(rule)
        ? "it raises alerts again, from now on"
        : "what happens meanwhile raises no alert, also not later",
    ],
    command: (rule) => [
      ["alert", "rule", "update", rule.id],
      isMuted(rule) ? { enabled: true } : { "no-enabled": true },
    ],
  },
  run: (client, rule, tenantId) =>
    client.alerts.updateRule({
      tenantId,
      params: { alertRuleId: rule.id },
      body: { enabled: isMuted(rule) },
    }),
  done: (rule) => `${isMuted(rule) ? "unmuted" : "muted"} ${ruleName(rule)}`,
};

export const ruleRemoval: Action<AlertRule> = {
  question: {
    title: (rule) => `Delete the rule ${ruleName(rule)}`,
    effects: () => ["the rule, for all of its recipients", "the alerts that it has raised stay"],
    command: ({ id }) => [["alert", "rule", "delete", id], { force: true }],
  },
  removes: true,
  run: (client, { id }, tenantId) =>
    client.alerts.removeRule({ tenantId, params: { alertRuleId: id } }),
  done: (rule) => `deleted the rule ${ruleName(rule)}`,
};

export function acknowledge(client: Client, tenantId: string | undefined) {
  return ({ id: alertId }: Alert) => client.alerts.acknowledge({ tenantId, params: { alertId } });
}

/** Ends the mails of a person or a role, or begins them again; the list of alerts has all. */
export const channelToggle: Action<AlertChannels> = {
  run: (client, { role, mail }, tenantId) =>
    client.alerts.updateChannels({ tenantId, body: { ...given({ role }), mail: mail === false } }),
  done: (channels) =>
    channels.mail === false
      ? `alerts are mailed to ${channelName(channels)}`
      : `no alerts are mailed to ${channelName(channels)}; the list has them`,
};
