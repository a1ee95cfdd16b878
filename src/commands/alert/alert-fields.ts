import type { Alert } from "#contract/events/alerts.ts";

/** An alert as people read it. */
export function alertFields(alert: Alert): [string, string | undefined][] {
  return [
    ["alert", alert.id],
    ["raised", alert.raisedAt],
    ["rule", alert.ruleName],
    ["message", alert.message],
    ["for", alert.role ?? alert.userId ?? ""],
    ["status", alert.status],
    ["acknowledged", alert.acknowledgedAt ?? undefined],
    ["by", alert.acknowledgedBy ?? undefined],
  ];
}
